import { shareOutPips } from '@liquidity-os/engine/arithmetic'
import { engineBuildHash } from '@liquidity-os/engine/build-hash'
import { roundHalfEven, toPips } from '@liquidity-os/engine/numerics'
import { summarize } from '@liquidity-os/engine/statistics'
import { engineVersion } from '@liquidity-os/engine/version'
import { canonicalize, sha256Hex } from '@liquidity-os/evidence'
import { solverVersion } from '../../../market/optimization/solver-version.ts'
import { required } from '../../../required.ts'
import type { VerifiedAdapters } from './adapters.ts'
import type { FullProgram } from './plan-full.ts'
import type { PilotProgram } from './plan-pilot.ts'
import type { PlannedProgram } from './program-task.ts'
import type { ProgramInput, ProgramPayload } from './read-program.ts'

type Result = ProgramPayload['result']
type DistRecord = Result['forecast']['cost']

/** A text whose hash is in the record. */
export interface NamedText {
  name: string
  hash: string
  text: string
}

const hashOf = (text: string) => `0x${sha256Hex(Buffer.from(text))}`

const venueIdAt = ({ venues }: Pick<ProgramInput, 'venues'>, index: number): string =>
  required(venues[index], `venue ${index} of the program`).id

/** The payload of the program record, with its texts. */
export function programPayloadOf(
  input: ProgramInput,
  planned: PlannedProgram,
  adapters: VerifiedAdapters,
): { payload: ProgramPayload; texts: NamedText[] } {
  const { request, venues } = input
  const { baseline, program, figures } = planned
  const texts: NamedText[] = []
  const keep = (name: string, value: unknown) => {
    const text = typeof value === 'string' ? value : canonicalize(value)
    const hash = hashOf(text)
    texts.push({ name, hash, text })
    return hash
  }
  const result =
    program.kind === 'PILOT'
      ? pilotResult(input, planned, program)
      : fullResult(input, planned, program, keep)
  const baselineHash = keep('baseline', planned.panels)
  const block = {
    chainId: request.pair.chainId,
    number: adapters.head.number,
    hash: adapters.head.hash,
    timestamp: new Date(adapters.head.timestamp * 1000).toISOString(),
  }
  const payload: ProgramPayload = {
    request,
    result,
    baseline: {
      days: baseline.days,
      coveragePips: toPips(baseline.coverage),
      venues: figures.map((venue, index) => ({
        venueId: venueIdAt(input, index),
        depthQuote: atoms(venue.depth),
        ownSharePips: toPips(venue.ownShare),
        volumePerDay: atoms(venue.volumePerDay),
        feesPerDay: atoms(venue.feesPerDay),
        elasticityPips: toPips(venue.elasticity),
        elasticityErrorPips: Math.min(toPips(venue.elasticityError), Number.MAX_SAFE_INTEGER),
        elasticityIsIdentified: venue.elasticityIsIdentified,
      })),
      pseudoLiftsPips: baseline.pseudoLifts.map(toPips),
    },
    adapters: request.venues.map(({ adapterId, attestation }, index) => ({
      venueId: venueIdAt(input, index),
      adapterId,
      distributor: attestation.distributor,
      codeHash: adapters.codeHashes[index] ?? attestation.codeHash,
      block,
    })),
    firstDistribution: null,
    notice: null,
    executionPerformed: false,
    executionAuthorityGranted: false,
    evidence: {
      engineVersion,
      engineBuildHash: engineBuildHash(),
      specHash: input.specHash,
      inputs: [
        ...venues.map((venue, index) => ({ name: `venue.${index}`, hash: venue.resourceVersion })),
        ...input.controls.map((venue, index) => ({
          name: `control.${index}`,
          hash: venue.resourceVersion,
        })),
        {
          name: 'observations',
          hash: keep(
            'observations',
            input.observations.map(({ id, resourceVersion }) => ({ id, resourceVersion })),
          ),
        },
        { name: 'baseline', hash: baselineHash },
        ...request.venues.map(({ adapterEvidenceHash }, index) => ({
          name: `adapter.${index}`,
          hash: adapterEvidenceHash,
        })),
        ...input.priors.map(({ name, hash }) => ({ name, hash })),
      ],
      blocks: [block],
      seed: input.seed,
      assumptions: assumptionsOf(input, planned),
      gaps: gapsOf(input, planned),
    },
  }
  return { payload, texts }
}

const atoms = (value: number) => `${roundHalfEven(value)}`

function dist(values: ArrayLike<number> & Iterable<number>): DistRecord {
  const { n, mean, sd, q, meanCi95 } = summarize(values, 'INDEPENDENT')
  return {
    n,
    mean: `${mean}`,
    sd: `${sd}`,
    meanCi95: [`${meanCi95[0]}`, `${meanCi95[1]}`],
    q: {
      p01: `${q.p01}`,
      p05: `${q.p05}`,
      p25: `${q.p25}`,
      p50: `${q.p50}`,
      p75: `${q.p75}`,
      p95: `${q.p95}`,
      p99: `${q.p99}`,
    },
  }
}

function allocationOf(
  input: ProgramInput,
  { baseline }: PlannedProgram,
  rewardPerDay: readonly number[],
  weeks: PilotProgram['weeks'] | null,
): Result['allocation'] {
  // Rounded down, so the budget is never exceeded.
  const rewards = rewardPerDay.map((reward) => roundHalfEven(Math.floor(reward / baseline.price)))
  const shares = shareOutPips(rewards)
  return rewards.map((reward, index) => ({
    venueId: venueIdAt(input, index),
    rewardPerDay: `${reward}`,
    sharePips: shares[index] ?? 0,
    weeksOn: weeks ? [...(weeks[index] ?? [])] : null,
  }))
}

const noAuthority = { executionPerformed: false, executionAuthorityGranted: false } as const
const share = (value: number) => `${toPips(value)}`

function commonGuards({ request }: ProgramInput, { baseline }: PlannedProgram): Result['guards'] {
  const floor = Math.log1p(request.minimumLiftPips / 1_000_000)
  const passing = baseline.pseudoLifts.filter((lift) => lift >= floor).length
  return [
    { code: 'BASELINE_DAYS', reached: `${baseline.days}`, required: '28' },
    { code: 'COVERAGE_PIPS', reached: share(baseline.coverage), required: '900000' },
    { code: 'PSEUDO_STARTS_PASSING', reached: `${passing}`, required: 'at most 1' },
  ]
}

function pilotResult(input: ProgramInput, planned: PlannedProgram, pilot: PilotProgram): Result {
  return {
    allocation: allocationOf(input, planned, pilot.rewardPerDay, pilot.weeks),
    forecast: {
      depthLift: null,
      depthLiftPips: null,
      volumeLift: null,
      traderCostSaved: null,
      ownFeeDilution: null,
      cost: dist([pilot.spendQuote]),
      net: null,
    },
    marginal: input.venues.map(({ id }) => ({ venueId: id, nextUnitBenefit: null })),
    frontier: [],
    retention: null,
    alternatives: [],
    solver: null,
    guards: [
      ...commonGuards(input, planned),
      { code: 'POWER_PIPS', reached: share(pilot.power), required: '800000' },
    ],
    ...noAuthority,
  }
}

function fullResult(
  input: ProgramInput,
  planned: PlannedProgram,
  full: FullProgram,
  keep: (name: string, value: unknown) => string,
): Result {
  const { totals, split, retention } = full
  const { request } = input
  const unit = 10 ** request.pair.quoteDecimals
  const vector = (values: ReadonlyMap<string, number>) =>
    Object.fromEntries([...values].map(([name, value]) => [name, String(value)]))
  return {
    allocation: allocationOf(input, planned, full.rewardPerDay, null),
    forecast: {
      depthLift: dist(totals.depthLift),
      depthLiftPips: {
        estimatePips: toPips(full.liftMean),
        lowPips: toPips(full.liftLow),
        highPips: toPips(full.liftHigh),
      },
      volumeLift: dist(totals.volume),
      traderCostSaved: dist(totals.traderCostSaved),
      ownFeeDilution: dist(totals.ownFeeDilution),
      cost: dist(totals.cost),
      net: dist(totals.net),
    },
    marginal: full.marginal.map((slope, index) => ({
      venueId: venueIdAt(input, index),
      nextUnitBenefit: atoms(slope * unit),
    })),
    frontier: full.frontier.map(({ spendQuote, low, mean, high }) => ({
      spendQuote: atoms(spendQuote),
      low: atoms(low),
      mean: atoms(mean),
      high: atoms(high),
    })),
    retention: {
      estimatePips: toPips(retention.estimate),
      lowPips: toPips(retention.low),
      highPips: toPips(retention.high),
      isMeasured: retention.isMeasured,
    },
    alternatives: full.alternatives.map(({ name, net }) => ({ name, net: dist(net) })),
    guards: [
      ...commonGuards(input, planned),
      {
        code: 'LIFT_LOW_PIPS',
        reached: share(full.liftLow),
        required: `${request.minimumLiftPips}`,
      },
      {
        code: 'NET_LOW_QUOTE',
        reached: atoms(full.netLow),
        required: request.requireNetPositive ? '0' : 'not required',
      },
      { code: 'HULL_EXCESS_PIPS', reached: share(full.hullExcess), required: 'shown' },
    ],
    solver: {
      version: solverVersion,
      modelHash: keep('model', split.text),
      primalHash: keep('primal', vector(split.primal)),
      dualHash: keep('dual', vector(split.dual)),
      gapPips: split.gapPips,
      isProved: split.certificate.isProved,
      cuts: split.cuts,
    },
    ...noAuthority,
  }
}

function assumptionsOf(
  { request, task }: ProgramInput,
  { baseline }: PlannedProgram,
): ProgramPayload['evidence']['assumptions'] {
  const isDeclared = request.rewardPriceX18 !== undefined
  return [
    {
      code: 'REWARD_PRICE',
      value: String(baseline.price),
      source: isDeclared ? 'DECLARED' : 'CALIBRATED',
    },
    { code: 'PARAMETER_DRAWS', value: '400', source: 'DEFAULT' },
    { code: 'MEAN_BLOCK_DAYS', value: baseline.meanBlock.toFixed(3), source: 'CALIBRATED' },
    { code: 'YIELD_CAP', value: '3', source: 'DEFAULT' },
    ...(task.priors.length > 0 && task.priors.every(({ retention }) => retention === null)
      ? [{ code: 'RETENTION', value: '0', source: 'DEFAULT' as const }]
      : []),
  ]
}

function gapsOf(
  { venues, controls, ownUnknown }: ProgramInput,
  { figures }: PlannedProgram,
): ProgramPayload['evidence']['gaps'] {
  const unidentified = figures.flatMap(({ elasticityIsIdentified }, index) =>
    elasticityIsIdentified
      ? []
      : [
          {
            code: 'ELASTICITY_UNIDENTIFIED',
            detail:
              'Depth varied too little in the baseline. Volume is assumed not to respond to depth.',
            venueId: venueIdAt({ venues }, index),
          },
        ],
  )
  const alone =
    controls.length > 0
      ? []
      : [
          {
            code: 'NO_CONTROLS',
            detail:
              'Without controls, market-wide changes cannot be separated from reward effects.',
          },
        ]
  const own = ownUnknown.map((venueId) => ({
    code: 'OWN_POSITIONS_UNKNOWN',
    detail: 'Position tokens of the profile were not observed. The own share excludes them.',
    venueId,
  }))
  return [...unidentified, ...own, ...alone]
}
