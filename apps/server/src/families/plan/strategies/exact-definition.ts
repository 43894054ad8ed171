import type { contract } from '@liquidity-os/contract'
import type { Action, StrategyDefinition, Trigger } from '@liquidity-os/engine/strategy'
import type { Static } from 'typebox'

export type StrategyInput = Static<typeof contract.StrategyDefinitionV2Input>

/** Behavior of a strategy, independent of name, pair and venue. */
export type StrategyBehaviour = Pick<
  StrategyInput,
  'capital' | 'inventory' | 'positions' | 'idlePips' | 'rules' | 'guards' | 'end'
>

/** The definition with integer amounts. */
export function exactDefinition(input: StrategyBehaviour): StrategyDefinition {
  const { capital, inventory, positions, idlePips, rules, guards, end } = input
  const amount = (text: string | null) => (text === null ? null : BigInt(text))
  return {
    capital: { maxBase: BigInt(capital.maxBase), maxQuote: BigInt(capital.maxQuote) },
    inventory,
    positions,
    idlePips,
    rules: rules.map(({ when, all, do: action, ...rule }) => ({
      ...rule,
      when: exactTrigger(when),
      ...(all ? { all: all.map(exactTrigger) } : {}),
      do: action as Action,
    })),
    guards: {
      twapWindowSeconds: guards.twapWindowSeconds,
      maxTwapDeviationPips: guards.maxTwapDeviationPips,
      maxSwapSlippagePips: guards.maxSwapSlippagePips,
      maxGasQuotePerAction: amount(guards.maxGasQuotePerAction),
      maxTurnoverQuotePerDay: amount(guards.maxTurnoverQuotePerDay),
      minSecondsBetweenActions: guards.minSecondsBetweenActions,
    },
    ...(end ? { end: { when: exactTrigger(end.when), do: end.do } } : {}),
  }
}

function exactTrigger(trigger: StrategyInput['rules'][number]['when']): Trigger {
  switch (trigger.kind) {
    case 'DEPTH_BELOW':
    case 'FEES_ABOVE':
      return { ...trigger, quote: BigInt(trigger.quote) }
    case 'SOLD_BASE':
      return { ...trigger, amount: BigInt(trigger.amount) }
    default:
      return trigger
  }
}
