/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* Types shared by every exported model. C99 and C++. Nothing but memcpy and memset is needed from the platform. */
#ifndef POET_TYPES_H
#define POET_TYPES_H
#define POET_ABI 0x0102u

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
#define POET_GUARD 0x54454F50u /* the word behind the arena, from check level 1 on */
#define POET_INPUT_PAGE 0xFFFFu /* page that holds the input given to step */

/* One instruction: 8 bytes, little endian, in flash. */
typedef struct poet_instr {
    uint8_t op, flags;
    uint16_t id;
    uint32_t arg;
} poet_instr;

/* Where an operand lies: a kind of memory, `offset` bytes behind its begin; `number` of a tensor. */
typedef struct poet_ref {
    uint16_t number;
    uint8_t kind;    /* POET_REF_* */
    uint8_t mode;    /* of gradients: POET_PUT_* */
    uint32_t offset;
} poet_ref;
enum { POET_REF_TENSOR = 0, POET_REF_PARAM = 1, POET_REF_CONST = 2, POET_REF_WORK = 3, POET_REF_GRAD = 4, POET_REF_NONE = 5, POET_REF_APPLY = 6 };

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
    uint8_t flags;             /* POET_NODE_* */
    uint8_t n_before;          /* helpers to run first, from number `before` on */
    uint16_t before;
    uint32_t ref;              /* first operand in the table of references: three outputs, reads, gradients */
    uint32_t attr;             /* first attribute */
} poet_node;
enum { POET_NODE_FIRST = 1 /* is computed */, POET_NODE_AGAIN = 2 /* may run again */, POET_NODE_LOSS = 4, POET_NODE_BACKWARD = 8 };

/* One tensor: its size, the workspace of its node, first block and number of its page, number of the data input. */
typedef struct poet_tensor {
    uint32_t bytes, work, block;
    uint16_t page, input; /* 0xFFFF: none */
} poet_tensor;

/* One parameter: bytes, and place in the parameter memory. Trained ones come first, so that this is the place in the buffer
 * of all gradients too; those that need a buffer even with immediate update come before them. */
typedef struct poet_param {
    uint32_t bytes, offset;
    uint32_t flags; /* POET_PARAM_* */
} poet_param;
enum { POET_PARAM_TRAINED = 1, POET_PARAM_DEFERRED = 2 };

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
    uint32_t runs[11]; /* of each code */
    uint32_t bytes[6]; /* moved by PAGE_OUT, PAGE_IN, PREFETCH */
    uint32_t high_water; /* at check level 2 */
} poet_counters;

/* Where the decoder of a packed schedule is. */
typedef struct poet_decoder {
    const uint8_t *at;
    const uint16_t *reads; /* tensors that may die next */
    uint32_t dying;        /* which of them do, one bit each */
    uint16_t next[10];     /* one more than the last id of each code */
} poet_decoder;

/* Called after every instruction and MARK. */
typedef void (*poet_observer)(void *user, const poet_instr *instr, uint32_t index);

#ifdef __cplusplus
}
#endif
#endif
