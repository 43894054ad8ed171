import type { contract, FieldErrors } from '@liquidity-os/contract'
import { MPS } from '@liquidity-os/engine/launch'
import { Failure } from '../../../../failure.ts'
import { validateDeployment } from './deployment.ts'

type Input = contract.LaunchPlanInput
type Mechanism = contract.LaunchMechanism

const maxEpochs = 1_000

/**
 * Validates dependencies between fields of a plan that the schema cannot express. @throws Failure
 * 422
 */
export function requireSoundPlan(request: Input, at = 'payload.'): void {
  requireWholeSupply(request, at)
  const faults: FieldErrors = {}
  const say = (path: string, message: string) => {
    faults[`${at}${path}`] = [message]
  }
  const { token, quote, allocations, mechanism, alternatives = [], demand } = request
  validateDeployment(request, say)
  if (token === quote) say('quote', 'must differ from the token')
  for (const [index, { bucket, tokens, initialTokens }] of allocations.entries()) {
    if (allocations.findIndex((one) => one.bucket === bucket) !== index) {
      say(`allocations.${index}.bucket`, `must be unique, got ${bucket} twice`)
    }
    if (initialTokens !== undefined && BigInt(initialTokens) > BigInt(tokens)) {
      say(`allocations.${index}.initialTokens`, `must be at most ${tokens}, got ${initialTokens}`)
    }
  }
  for (const [itemIndex, one] of [mechanism, ...alternatives].entries()) {
    const path = itemIndex === 0 ? 'mechanism' : `alternatives.${itemIndex - 1}`
    validateMechanism(one, (member, message) => say(`${path}.${member}`, message))
  }
  if (demand?.kind === 'DECLARED') {
    for (const [place, { budget, maximumPriceX18 }] of demand.bids.entries()) {
      if (budget === '0') say(`demand.bids.${place}.budget`, 'must be above zero')
      if (maximumPriceX18 === '0') say(`demand.bids.${place}.maximumPriceX18`, 'must be above zero')
    }
  } else if (demand && demand.medianPriceX18 === '0') {
    say('demand.medianPriceX18', 'must be above zero')
  }
  if (Object.keys(faults).length > 0) {
    throw new Failure('LIQUIDITY_LAUNCH_PLAN_INVALID', { fieldErrors: faults })
  }
}

function requireWholeSupply({ allocations, totalSupply }: Input, at: string): void {
  const sum = allocations.reduce((all, { tokens }) => all + BigInt(tokens), 0n)
  if (sum === BigInt(totalSupply) && sum > 0n) return
  throw new Failure('LIQUIDITY_LAUNCH_ALLOCATION_SUM', {
    fieldErrors: { [`${at}allocations`]: [`must sum to ${totalSupply}, got ${sum}`] },
  })
}

function validateMechanism(one: Mechanism, say: (member: string, message: string) => void): void {
  switch (one.kind) {
    case 'LBP': {
      if (Date.parse(one.endAt) < Date.parse(one.startAt) + 1000) {
        say('endAt', `must be after ${one.startAt}, got ${one.endAt}`)
      }
      if (one.tokenStart === '0') say('tokenStart', 'must be above zero')
      if (one.quoteStart === '0') say('quoteStart', 'must be above zero')
      return
    }
    case 'CCA': {
      const blocks = one.endBlock - one.startBlock
      const sum = one.steps.reduce((all, step) => all + step.blocks, 0)
      const whole = one.steps.reduce((all, step) => all + step.mps * step.blocks, 0)
      if (blocks < 1) say('endBlock', `must be after ${one.startBlock}, got ${one.endBlock}`)
      else if (sum !== blocks) say('steps', `must cover ${blocks} blocks in total, got ${sum}`)
      else if (whole !== MPS) say('steps', `must release ${MPS} units in total, got ${whole}`)
      if (one.claimBlock < one.endBlock) {
        say('claimBlock', `must be at least ${one.endBlock}, got ${one.claimBlock}`)
      }
      for (const member of ['tokens', 'floorPriceX96', 'tickSpacing'] as const) {
        if (one[member] === '0') say(member, 'must be above zero')
      }
      return
    }
    case 'DUTCH_DYNAMIC': {
      const [start, end] = [BigInt(one.startPriceX18), BigInt(one.endPriceX18)]
      if (end === 0n) say('endPriceX18', 'must be above zero')
      if (end > start) say('endPriceX18', `must be at most ${start}, got ${end}`)
      if (one.tokens === '0') say('tokens', 'must be above zero')
      const epochs = Math.ceil(one.durationSeconds / one.epochSeconds)
      if (epochs < 2 || epochs > maxEpochs) {
        say('epochSeconds', `must give 2 to ${maxEpochs} epochs, got ${epochs}`)
      }
      // Selling all tokens at the start price gives the maximum proceeds.
      const max = (BigInt(one.tokens) * start) / 10n ** 18n
      if (BigInt(one.maximumProceeds) > max) {
        say('maximumProceeds', `must be reachable, at most ${max}, got ${one.maximumProceeds}`)
      }
      if (BigInt(one.minimumProceeds) > BigInt(one.maximumProceeds)) {
        say('minimumProceeds', `must be at most ${one.maximumProceeds}, got ${one.minimumProceeds}`)
      }
      return
    }
    case 'FIXED_PRICE':
      if (one.priceX18 === '0') say('priceX18', 'must be above zero')
      if (one.tokens === '0') say('tokens', 'must be above zero')
      return
    default:
  }
}
