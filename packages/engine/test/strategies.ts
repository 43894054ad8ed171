import type { Guards, Rule, StrategyDefinition } from '../src/strategy/definition.ts'

const one = 10n ** 18n

/** Guards that let everything pass that has a bound at all. */
export const wideGuards: Guards = {
  twapWindowSeconds: 1800,
  maxTwapDeviationPips: 1_000_000,
  maxSwapSlippagePips: 1_000_000,
  maxGasQuotePerAction: null,
  maxTurnoverQuotePerDay: 10n ** 40n,
  minSecondsBetweenActions: 0,
}

/** A plain strategy with one range of 5 % to each side, and optional changes by a test. */
export function strategy(change: Partial<StrategyDefinition> = {}): StrategyDefinition {
  return {
    capital: { maxBase: 1000n * one, maxQuote: 1000n * one },
    inventory: { targetBaseSharePips: 500_000, minBaseSharePips: 0, maxBaseSharePips: 1_000_000 },
    positions: [
      {
        positionId: 'core',
        weightPips: 1_000_000,
        template: { kind: 'RANGE', lowerPips: 50_000, upperPips: 50_000 },
      },
    ],
    idlePips: 0,
    rules: [],
    guards: wideGuards,
    ...change,
  }
}

/** A rule that may act as often as it likes. */
export function rule(when: Rule['when'], action: Rule['do'], change: Partial<Rule> = {}): Rule {
  return {
    ruleId: `${when.kind}-${action.kind}`.toLowerCase(),
    when,
    do: action,
    cooldownSeconds: 3600,
    maxPerDay: 24,
    ...change,
  }
}
