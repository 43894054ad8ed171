import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import type { Amounts } from './amounts.ts'

export type Strategy = Static<typeof contract.StudyStrategy>
type Trigger = Strategy['rules'][number]['when']
type Shared = Static<typeof contract.SharedStrategy>

/** A strategy for readers: without pair, venue and notes, with amounts in display form. */
export function redactStrategy(definition: Strategy, amounts: Amounts): Shared {
  const { name, objective, capital, inventory, positions, idlePips, rules, guards, end } =
    definition
  const quoteOrNull = (amount: string | null) => (amount === null ? null : amounts.quote(amount))
  return {
    name,
    objective,
    capital: { maxBase: amounts.base(capital.maxBase), maxQuote: amounts.quote(capital.maxQuote) },
    inventory,
    positions,
    idlePips,
    rules: rules.map(({ when, all, ...rule }) => ({
      ...rule,
      when: shown(when, amounts),
      ...(all ? { all: all.map((trigger) => shown(trigger, amounts)) } : {}),
    })),
    guards: {
      ...guards,
      maxGasQuotePerAction: quoteOrNull(guards.maxGasQuotePerAction),
      maxTurnoverQuotePerDay: quoteOrNull(guards.maxTurnoverQuotePerDay),
    },
    ...(end ? { end: { do: end.do, when: shown(end.when, amounts) } } : {}),
  }
}

function shown(trigger: Trigger, amounts: Amounts): Trigger {
  switch (trigger.kind) {
    case 'DEPTH_BELOW':
    case 'FEES_ABOVE':
      return { ...trigger, quote: amounts.quote(trigger.quote) }
    case 'SOLD_BASE':
      return { ...trigger, amount: amounts.base(trigger.amount) }
    default:
      return trigger
  }
}
