type = "docker_container"
before = {
  name    = "app"
  command = "java -server -Xms512m -Xmx1024m -XX:+UseG1GC -XX:MaxGCPauseMillis=200 -Dspring.profiles.active=prod -Dlogging.level.root=INFO -jar /app/service.jar --server.port=8080 --management.port=8081"
}
after = {
  name    = "app"
  command = "java -server -Xms512m -Xmx2048m -XX:+UseG1GC -XX:MaxGCPauseMillis=200 -Dspring.profiles.active=prod -Dlogging.level.root=DEBUG -jar /app/service.jar --server.port=8080 --management.port=8081 --trace"
}
