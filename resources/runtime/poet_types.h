/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Types shared by every exported model. C99 and C++. Nothing but memcpy and memset is needed from the platform. */
#ifndef POET_TYPES_H
#define POET_TYPES_H
#define POET_ABI 0x0100u

#include <stdint.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "POET kernels need IEEE arithmetic: build without -ffast-math."
#endif
#if defined(__i386__) && !defined(__SSE_MATH__)
#error "x87 arithmetic rounds twice: build with -msse2 -mfpmath=sse."
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* Results. 0 is success; the kernel's or store's own code is in poet_fault. */
enum {
    POET_OK = 0, POET_E_MAGIC = -1, POET_E_ABI = -2, POET_E_CRC = -3, POET_E_HASH = -4, POET_E_ARENA = -5,
    POET_E_ALIGN = -6, POET_E_OPCODE = -7, POET_E_RANGE = -8, POET_E_NOT_RESIDENT = -9, POET_E_ALREADY = -10,
    POET_E_PAGE = -11, POET_E_STALE = -12, POET_E_IO = -13, POET_E_KERNEL = -14, POET_E_LEAK = -15,
    POET_E_MISSING = -16, POET_E_COUNT = -17, POET_E_BUSY = -18, POET_E_ORDER = -19, POET_E_OVERLAP = -20,
    POET_E_CANARY = -21
};

/* Instruction codes and flags (wide records). */
enum {
    POET_COMPUTE = 1, POET_RECOMPUTE = 2, POET_PAGE_OUT = 3, POET_PAGE_IN = 4, POET_PREFETCH = 5, POET_WAIT = 6,
    POET_FREE = 7, POET_UPDATE = 8, POET_MARK = 9, POET_END = 10, POET_EXT = 11,
    POET_IN_PLACE = 1, POET_ASYNC = 2
};
#define POET_ABSENT 0xFFFFFFFFu /* no offset, no operand */
#define POET_ALL 0xFFFFu        /* id of WAIT and UPDATE: everything */
#define POET_INPUT_PAGE 0xFFFFu /* page that holds the input given to step */

/* One instruction: 8 bytes, little endian, in flash. */
typedef struct poet_instr {
    uint8_t op, flags;
    uint16_t id;
    uint32_t arg;
} poet_instr;

/* Where an operand lies: class in the upper two bits of `where`, number in the others; `offset` in bytes. */
typedef struct poet_ref {
    uint16_t where;
    uint16_t mode;   /* of gradients: POET_PUT_* */
    uint32_t offset;
} poet_ref;
#define POET_REF_TENSOR 0x0000u
#define POET_REF_PARAM 0x4000u
#define POET_REF_CONST 0x8000u
#define POET_REF_WORK 0xC000u
#define POET_REF_NONE 0xFFFFu
#define POET_REF_CLASS 0xC000u
#define POET_REF_NUMBER 0x3FFFu

/* A place for a gradient: written, added to, or applied at once (stochastic gradient descent without buffers). */
enum { POET_PUT_NONE = 0, POET_PUT_WRITE = 1, POET_PUT_ADD = 2, POET_PUT_APPLY = 3 };
typedef struct poet_grad {
    float *p;
    float rate;
    uint32_t mode;
} poet_grad;

/* One node: which kernel, which operands, which attributes. */
typedef struct poet_node {
    uint16_t kernel;
    uint8_t n_in, n_grad;      /* operands read, gradients made */
    uint16_t flags;            /* POET_NODE_* */
    uint16_t before;           /* helper to run first, 0xFFFF: none */
    uint32_t ref;              /* first operand in the table of references: reads, three outputs, gradients */
    uint32_t attr;             /* first attribute */
} poet_node;
#define POET_NO_HELPER 0xFFFFu

/* One parameter: bytes, place in the parameter memory, in the buffer of all gradients and in that of immediate update. */
typedef struct poet_param {
    uint32_t bytes, offset, grad, own_grad;
    uint32_t flags; /* POET_PARAM_* */
} poet_param;
enum { POET_PARAM_TRAINED = 1, POET_PARAM_DERIVED = 2, POET_PARAM_DEFERRED = 4 };
#define POET_NO_BUFFER 0xFFFFFFFFu
enum { POET_NODE_BACKWARD = 1, POET_NODE_AGAIN = 2 /* may run again */ };

/* What a kernel sees. */
typedef struct poet_call {
    const poet_node *node;
    const int32_t *a;          /* attributes; floats as their bits */
    const void *const *in;     /* operands read; null when absent */
    void *const *out;          /* out[0]: the node's tensor; further ones: buffers such as running statistics */
    const poet_grad *grad;     /* gradients made, one for each operand of the forward operation */
    void *work;
    uint32_t step, seed;
    uint8_t again;             /* 1 in a RECOMPUTE */
} poet_call;
/* 0, or the caller's own code. */
typedef int (*poet_kernel)(void *user, const poet_call *c);

/* A page store: blocks of `block_bytes`. Functions return 0 or their own code. */
typedef struct poet_store {
    int (*read)(void *u, uint32_t block, void *dst, uint32_t bytes);
    int (*write)(void *u, uint32_t block, const void *src, uint32_t bytes);
    int (*start)(void *u, int write, uint32_t block, void *buf, uint32_t bytes); /* null: blocking only */
    int (*wait)(void *u);
    int (*begin_step)(void *u, uint32_t step);                                  /* may be null */
    void *u;
    uint32_t block_bytes, blocks;
} poet_store;

/* The first thing that went wrong. */
typedef struct poet_fault {
    int code;
    uint32_t instr;
    uint16_t id;
    int detail;
} poet_fault;

/* What one step did; must equal the predictions of the header. */
typedef struct poet_counters {
    uint32_t computes, recomputes, page_outs, page_ins;
    uint32_t out_bytes, in_bytes, high_water;
} poet_counters;

/* Where the decoder of a packed schedule is. */
typedef struct poet_decoder {
    uint32_t at;
    int16_t last[9];   /* last id of each code */
    uint16_t node;     /* whose inputs die */
    uint8_t dying, broken;
} poet_decoder;

/* Called after every instruction and MARK. */
typedef void (*poet_observer)(void *user, const poet_instr *instr, uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
