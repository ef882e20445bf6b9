/* SPDX-FileCopyrightText: 2026 POET Explorer developers
 * SPDX-License-Identifier: Apache-2.0 */
/* All reference kernels; unused ones are not linked. Include after poet_types.h. */
#include "poet_math.inl"
#include "poet_loops.inl"
#include "poet_conv.inl"
#include "poet_gemm.inl"
#include "poet_unary.inl"
#include "poet_binary.inl"
#include "poet_reduce.inl"
#include "poet_pool.inl"
#include "poet_norm.inl"
#include "poet_move.inl"
#include "poet_resize.inl"
#include "poet_recurrent.inl"
#include "poet_gru.inl"
#include "poet_loss.inl"
#include "poet_optimizer.inl"
