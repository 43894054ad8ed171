import type { FieldErrors } from '@liquidity-os/contract'
import type { Orientation } from '@liquidity-os/engine/amm'
import { compileStrategy } from '@liquidity-os/engine/strategy'
import { parseExact } from '../../../../market/exact-json.ts'
import type { SimulatedMarket } from '../../../../market/inline-market.ts'
import { exactDefinition, type StrategyBehaviour } from '../../../plan/strategies/api.ts'

/** Inline definitions in candidates, with their market. */
export interface CompileArmsTask {
  /** The market as JSON. */
  state: Uint8Array
  orientation: Orientation
  definitions: readonly { at: string; definition: StrategyBehaviour }[]
}

/** Compiles strategy definitions. @returns all errors by field; empty if all definitions compile */
export default function compileArms(task: CompileArmsTask): FieldErrors {
  const market = parseExact(new TextDecoder().decode(task.state)) as SimulatedMarket
  const faults: FieldErrors = {}
  for (const { at, definition } of task.definitions) {
    const { orientation } = task
    const context = { market, orientation, volatility: null }
    const compiled = compileStrategy(exactDefinition(definition), context)
    if (compiled.ok) continue
    for (const { path, message } of compiled.errors) {
      const field = `${at}.${path}`
      faults[field] = [...(faults[field] ?? []), message]
    }
  }
  return faults
}
