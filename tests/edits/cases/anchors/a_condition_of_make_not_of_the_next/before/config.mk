ifeq ($(alpha),1)
CFLAGS += -g
ifdef STRICT
CFLAGS += -Wall
endif
endif

ifeq ($(beta),1)
CFLAGS += -g
ifdef STRICT
CFLAGS += -Wall
endif
endif

ifeq ($(gamma),1)
CFLAGS += -g
ifdef STRICT
CFLAGS += -Wall
endif
LIBS += -lm
endif
