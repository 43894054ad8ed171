import type { PairFee } from '@liquidity-os/engine/amm'
import { classifyPairSwap, type PairAmounts } from '@liquidity-os/engine/replay'
import { readAmount, type TableRow } from './read-rows.ts'
import { KindTally } from './result.ts'

/** Row classes of a file for swaps that the formulas do not explain. */
const NOT_EXACT = new Set(['K_SLACK', 'MULTI_SIDED', 'OTHER_FEE'])

/**
 * Checks single swaps of v2 pairs against reserves before and after. Rejects rows that the file
 * marks as inexact. Every other row must match one of the two formulas exactly and yield the
 * reserves after.
 */
export class PairSwapChecker {
  readonly tally = new KindTally()
  readonly modes: Record<string, number> = {}
  readonly fee: PairFee

  constructor(fee: PairFee) {
    this.fee = fee
  }

  /** @throws ReplayInputError naming the column that is missing or malformed */
  check(row: TableRow): void {
    const amounts: PairAmounts = {
      amount0In: readAmount(row, 'amount0In'),
      amount1In: readAmount(row, 'amount1In'),
      amount0Out: readAmount(row, 'amount0Out'),
      amount1Out: readAmount(row, 'amount1Out'),
    }
    const reserve0 = readAmount(row, 'reserve0Before')
    const reserve1 = readAmount(row, 'reserve1Before')
    const label = row.cells.get('class')
    if (label !== undefined && NOT_EXACT.has(label)) {
      this.tally.refused('swaps', label)
      return
    }
    const found = classifyPairSwap(reserve0, reserve1, amounts, this.fee)
    const fields = compareReserves(row, reserve0, reserve1, amounts)
    if (found !== 'EXACT_IN' && found !== 'EXACT_OUT') {
      const recorded = label || 'EXACT_IN or EXACT_OUT'
      fields.unshift({ field: 'class', recorded, computed: found })
    }
    if (fields.length > 0) {
      const subject = `swap on pair ${row.cells.get('pair') ?? 'unknown'}`
      this.tally.different('swaps', { subject, file: row.file, line: row.line, fields })
      return
    }
    this.modes[found] = (this.modes[found] ?? 0) + 1
    this.tally.exact('swaps')
  }
}

function compareReserves(
  row: TableRow,
  reserve0: bigint,
  reserve1: bigint,
  amounts: PairAmounts,
): { field: string; recorded: string; computed: string }[] {
  const computed = {
    reserve0After: reserve0 + amounts.amount0In - amounts.amount0Out,
    reserve1After: reserve1 + amounts.amount1In - amounts.amount1Out,
  }
  return Object.entries(computed)
    .filter(([column]) => row.cells.has(column.toLowerCase()))
    .map(([column, value]) => ({
      field: column,
      recorded: `${readAmount(row, column)}`,
      computed: `${value}`,
    }))
    .filter(({ recorded, computed: value }) => recorded !== value)
}
