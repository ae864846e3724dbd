class Oven(val watts: Int) {
    fun heat(to: Int) {
        lamp.on()
        val seconds = to * factor(watts)
        clock.start(seconds)
        log.add(seconds)
        clock.join()
    }
}
