import type { Action, Rule, StrategyDefinition, Trigger } from './definition.ts'

/** Why a definition does not compile. */
export type StrategyErrorCode =
  | 'WEIGHTS_SUM'
  | 'TICK_RANGE'
  | 'RULE_CYCLE'
  | 'UNREACHABLE_RULE'
  | 'UNBOUNDED_TURNOVER'
  | 'GUARD_MISSING'
  | 'CAPITAL_EXCEEDS_CAPS'
  | 'INVENTORY_BOUNDS'

/** An error at a member of the definition, named by its JSON path. */
export interface StrategyError {
  readonly path: string
  readonly code: StrategyErrorCode
  readonly message: string
}

/** Checks that need no market. */
export function checkStrategy(definition: StrategyDefinition): StrategyError[] {
  return [
    ...weightErrors(definition),
    ...inventoryErrors(definition),
    ...definition.rules.flatMap((rule, index) => [
      ...cycleErrors(rule, `rules.${index}`),
      ...reachErrors(definition, rule, index),
      ...guardErrors(definition, rule, `rules.${index}`),
    ]),
  ]
}

function weightErrors({ positions, idlePips, rules }: StrategyDefinition): StrategyError[] {
  const errors: StrategyError[] = []
  const check = (weights: readonly { weightPips: number }[], path: string) => {
    const sum = weights.reduce((total, { weightPips }) => total + weightPips, idlePips)
    if (sum === 1_000_000) return
    const message = `the weights and idlePips must sum to 1000000, got ${sum}`
    errors.push({ path, code: 'WEIGHTS_SUM', message })
  }
  check(positions, 'positions')
  for (const [index, rule] of rules.entries()) {
    if (rule.do.kind === 'RESHAPE') check(rule.do.templates, `rules.${index}.do.templates`)
  }
  return errors
}

function inventoryErrors({ inventory }: StrategyDefinition): StrategyError[] {
  const { minBaseSharePips, targetBaseSharePips, maxBaseSharePips } = inventory
  if (minBaseSharePips <= targetBaseSharePips && targetBaseSharePips <= maxBaseSharePips) return []
  const message = `the target ${targetBaseSharePips} must be between ${minBaseSharePips} and ${maxBaseSharePips}`
  return [{ path: 'inventory.targetBaseSharePips', code: 'INVENTORY_BOUNDS', message }]
}

/** A rule without a cooldown whose action leaves its trigger true would act at every step. */
function cycleErrors(rule: Rule, path: string): StrategyError[] {
  if (rule.cooldownSeconds > 0) return []
  const triggers = [rule.when, ...(rule.all ?? [])]
  if (triggers.some((trigger) => resolves(rule.do, trigger))) return []
  const message = `${rule.do.kind} does not clear ${rule.when.kind}; set cooldownSeconds above 0`
  return [{ path: `${path}.cooldownSeconds`, code: 'RULE_CYCLE', message }]
}

/** Whether the effect of an action makes a trigger false. */
function resolves(action: Action, trigger: Trigger): boolean {
  const lays = action.kind === 'RECENTER' || action.kind === 'RESHAPE'
  switch (trigger.kind) {
    case 'EVERY':
      return trigger.seconds > 0
    case 'OUT_OF_RANGE':
      return lays || (action.kind === 'WITHDRAW' && action.sharePips === 1_000_000)
    case 'MOVE':
      return lays || action.kind === 'TO_SINGLE_SIDED'
    case 'BASE_SHARE':
      return action.kind === 'RECENTER' && action.swap
    case 'DEPTH_BELOW':
      return lays || action.kind === 'COMPOUND'
    case 'FEES_ABOVE':
      return action.kind !== 'HOLD'
    // The market decides about these, not the action.
    case 'VOL_RATIO':
    case 'SOLD_BASE':
      return false
  }
}

function reachErrors(definition: StrategyDefinition, rule: Rule, index: number): StrategyError[] {
  const error = (member: string, message: string): StrategyError[] => [
    { path: `rules.${index}.${member}`, code: 'UNREACHABLE_RULE', message },
  ]
  if (rule.maxPerDay < 1) return error('maxPerDay', 'a rule limited to 0 actions a day never acts')
  for (const trigger of [rule.when, ...(rule.all ?? [])]) {
    const never = neverHolds(trigger, definition)
    if (never) return error('when', never)
  }
  const shadow = definition.rules
    .slice(0, index)
    .find(
      (earlier) =>
        (earlier.all ?? []).length === 0 &&
        earlier.cooldownSeconds === 0 &&
        isImplied(earlier.when, rule.when),
    )
  return shadow ? error('when', `${shadow.ruleId} always matches before this rule`) : []
}

function neverHolds(trigger: Trigger, definition: StrategyDefinition): string | null {
  if (trigger.kind === 'BASE_SHARE') {
    const { above = 1_000_000, below = 0 } = trigger
    return above >= 1_000_000 && below <= 0 ? 'no share can be above 1000000 or below 0' : null
  }
  if (trigger.kind !== 'OUT_OF_RANGE') return null
  const plan = definition.positions.find(({ positionId }) => positionId === trigger.positionId)
  const isReshaped =
    /^reshaped-[1-9]\d?$/.test(trigger.positionId) &&
    definition.rules.some((rule) => rule.do.kind === 'RESHAPE')
  if (!plan && !isReshaped) return `there is no position ${trigger.positionId}`
  return plan?.template.kind === 'FULL_RANGE' ? 'the price never leaves a full range' : null
}

/** Whether the first trigger holds whenever the second does. */
function isImplied(weaker: Trigger, stronger: Trigger): boolean {
  if (weaker.kind === 'EVERY' && stronger.kind === 'EVERY')
    return weaker.seconds <= stronger.seconds
  if (weaker.kind === 'MOVE' && stronger.kind === 'MOVE') return weaker.pips <= stronger.pips
  if (weaker.kind === 'OUT_OF_RANGE' && stronger.kind === 'OUT_OF_RANGE') {
    return weaker.positionId === stronger.positionId && weaker.seconds <= stronger.seconds
  }
  if (weaker.kind === 'BASE_SHARE' && stronger.kind === 'BASE_SHARE') {
    return (
      (weaker.above ?? 1_000_000) <= (stronger.above ?? 1_000_000) &&
      (weaker.below ?? 0) >= (stronger.below ?? 0)
    )
  }
  if (weaker.kind === 'FEES_ABOVE' && stronger.kind === 'FEES_ABOVE') {
    return weaker.quote <= stronger.quote
  }
  return false
}

function guardErrors({ guards }: StrategyDefinition, rule: Rule, path: string): StrategyError[] {
  if (!swaps(rule.do)) return []
  const errors: StrategyError[] = []
  const missing = (['maxTwapDeviationPips', 'maxSwapSlippagePips'] as const).filter(
    (name) => guards[name] === null,
  )
  for (const name of missing) {
    const message = `${path} swaps and requires this guard`
    errors.push({ path: `guards.${name}`, code: 'GUARD_MISSING', message })
  }
  if (guards.maxTurnoverQuotePerDay === null) {
    const message = `${path} swaps without a daily turnover limit`
    errors.push({ path: 'guards.maxTurnoverQuotePerDay', code: 'UNBOUNDED_TURNOVER', message })
  }
  return errors
}

export const swaps = (action: Action) => action.kind === 'RECENTER' && action.swap
