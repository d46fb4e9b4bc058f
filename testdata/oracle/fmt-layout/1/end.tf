locals {
 a=1
}	 