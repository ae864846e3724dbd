library(x)

left <- function(d) {
  m <- mean(d)
  m * 1
}

right <- function(d) {
  m <- mean(d)
  m * 2
}

both <- function(d) {
  m <- mean(d)
  m * 3
}

none <- function(d) {
  m <- mean(d)
  m * 4
}

