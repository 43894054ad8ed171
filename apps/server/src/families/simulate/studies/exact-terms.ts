import type { contract } from '@liquidity-os/contract'
import { type FailureRule, FREE_GAS, type GasModel } from '@liquidity-os/engine/montecarlo'
import type { Static } from 'typebox'

export type FailureRuleInput = Static<typeof contract.FailureRule>
type Costs = contract.SimulationCosts

const million = 1_000_000

/** A failure rule with its amounts as integers. */
export function exactFailureRule(rule: FailureRuleInput): FailureRule {
  switch (rule.kind) {
    case 'DEPTH_BELOW':
    case 'QUOTE_BELOW':
      return { ...rule, minQuote: BigInt(rule.minQuote) }
    case 'SLIPPAGE_ABOVE':
      return { ...rule, sizeQuote: BigInt(rule.sizeQuote) }
    case 'PRICE_BELOW':
      return { ...rule, priceX18: BigInt(rule.priceX18) }
    default:
      return rule
  }
}

/**
 * Gas model of actions; 0 without costs. With the base fees of blocks, each of them replaces the
 * constant fee of the model.
 */
export function gasOf(costs: Costs | null): GasModel {
  if (costs === null) return FREE_GAS
  return {
    baseFee: baseFeeOf(costs.gas),
    tipWei: BigInt(costs.tipWei ?? '0'),
    l1DataFeeWei: BigInt(costs.l1DataFeeWei ?? '0'),
    nativePriceX18: BigInt(costs.nativePriceX18),
  }
}

function baseFeeOf(gas: Costs['gas']): GasModel['baseFee'] {
  if ('constantWei' in gas) return { kind: 'CONSTANT', baseFeeWei: BigInt(gas.constantWei) }
  if ('baseFees' in gas) return { kind: 'CONSTANT', baseFeeWei: 0n }
  return {
    kind: 'AR1_LOG',
    meanWei: BigInt(gas.meanWei),
    persistence: gas.persistencePips / million,
    deviation: gas.deviationPips / million,
  }
}
