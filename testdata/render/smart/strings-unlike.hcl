type = "github_repository"
before = { name = "shop", description = "The web shop of the Acme company: catalogue, baskets and check-out in one service." }
after  = { name = "shop", description = "Deprecated since May; see github.com/acme/storefront for what customers use today!" }
