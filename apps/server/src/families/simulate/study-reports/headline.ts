import type { contract } from '@liquidity-os/contract'
import { benchmarkArmIds } from '@liquidity-os/engine/montecarlo'
import type { Static } from 'typebox'
import { limits } from '../../../limits.ts'
import type { Findings } from './report-input.ts'

type VolatilityReading = Static<typeof contract.VolatilityReading>

/** What a headline follows from. */
export interface Headlined {
  readonly study: {
    readonly payload: { readonly spec: Pick<contract.StudySpec, 'kind' | 'window'> }
  }
  readonly result: Pick<
    contract.StudyResult,
    'state' | 'reasons' | 'paths' | 'comparisons' | 'search' | 'coverage'
  >
  readonly arms: readonly { readonly armId: string; readonly label: string }[]
  readonly replayed: readonly {
    readonly armId: string
    readonly flowModel: string
    readonly waterfallHolder: { readonly net: string }
  }[]
  readonly simulated: readonly { readonly armId: string }[]
}

/**
 * The report in one sentence, from verdicts only: PARTIAL and ABSTAINED are said first, an arm stands out of a
 * simulation only where every comparison says so, and out of a replay only as a fact about that one history.
 */
export function headlineOf(findings: Headlined): string {
  const { state, reasons } = findings.result
  const why = reasons.length > 0 ? ` (${reasons.join(', ')})` : ''
  if (state === 'ABSTAINED') {
    return cut(`The study abstains${why}: no figure of an arm is given.`)
  }
  const said = findings.simulated.length > 0 ? ofSimulation(findings) : ofReplay(findings)
  return cut(state === 'PARTIAL' ? `Partial${why}. ${said}` : said)
}

const cut = (text: string) =>
  text.length <= limits.detailCharacters ? text : `${text.slice(0, limits.detailCharacters - 1)}…`

/** The arms that were asked for; benchmarks run beside them and are what they are held against. */
const isOwn = ({ armId }: { armId: string }) => !benchmarks.includes(armId)
const benchmarks: readonly string[] = benchmarkArmIds
const [hold] = benchmarkArmIds

function labelsOf({ arms }: Headlined): (id: string) => string {
  return (id) => `“${arms.find(({ armId }) => armId === id)?.label ?? id}”`
}

function ofSimulation(findings: Headlined): string {
  const { result, study } = findings
  const label = labelsOf(findings)
  const own = findings.simulated.filter(isOwn)
  const isTold = isOneCourse(findings)
  const many = result.paths === null || isTold ? '' : ` on ${result.paths.run} paths`
  const told = study.payload.spec.kind === 'SCENARIO' ? 'In this scenario' : 'Under the model'
  const scope = isTold ? 'On the one course that is told' : told
  const sure = isTold ? '' : ' (95 %, Holm-adjusted)'
  const [only, second] = own
  if (only === undefined) return 'No arm was simulated.'
  if (second === undefined) {
    const against = againstHold(findings, only.armId)
    return against === null
      ? `${label(only.armId)} was simulated alone${many}; there is nothing to compare it with.`
      : `${scope}, ${label(only.armId)} has ${meanNet[against]}${many}${sure}.`
  }
  const winner = own.find(({ armId }) =>
    own.every((other) => other.armId === armId || beats(findings, armId, other.armId)),
  )
  if (winner !== undefined) {
    const against = againstHold(findings, winner.armId)
    const more = against === null ? '' : `, and ${meanNet[against]}`
    return `${scope}, ${label(winner.armId)} has a higher mean net against holding than every other arm${more}${many}${sure}.`
  }
  const pairs = result.comparisons.filter(({ a, b }) => isOwn({ armId: a }) && isOwn({ armId: b }))
  const open = pairs.filter(({ verdict }) => verdict === 'INDISTINGUISHABLE')
  if (open.length === pairs.length) {
    return `${scope}, no arm can be told from another by its mean net against holding${many}${sure}.`
  }
  const isOrAre = open.length === 1 ? 'is' : 'are'
  return `${scope}, no arm stands above all others${many}: ${open.length} of ${pairs.length} pairs ${isOrAre} indistinguishable${sure}.`
}

/** Where nothing is drawn every path is the same one, and counting them says nothing. */
const isOneCourse = ({ result }: Headlined) => result.paths?.varies === false

function beats({ result }: Headlined, a: string, b: string): boolean {
  return result.comparisons.some(
    (one) =>
      (one.a === a && one.b === b && one.verdict === 'A') ||
      (one.a === b && one.b === a && one.verdict === 'B'),
  )
}

const meanNet = {
  HIGHER: 'a higher mean net than holding',
  LOWER: 'a lower mean net than holding',
  OPEN: 'a mean net that cannot be told from that of holding',
} as const

/** How an arm's mean net compares with that of holding; null where the two were not compared. */
function againstHold(findings: Headlined, armId: string): keyof typeof meanNet | null {
  const isCompared = findings.result.comparisons.some(
    ({ a, b }) => (a === armId && b === hold) || (a === hold && b === armId),
  )
  if (!isCompared) return null
  if (beats(findings, armId, hold)) return 'HIGHER'
  return beats(findings, hold, armId) ? 'LOWER' : 'OPEN'
}

function ofReplay(findings: Headlined): string {
  const { replayed } = findings
  const label = labelsOf(findings)
  const where = placeOf(findings)
  const own = replayed.filter(isOwn)
  const ids = [...new Set(own.map(({ armId }) => armId))]
  const models = [...new Set(own.map(({ flowModel }) => flowModel))]
  const [only, second] = ids
  if (only === undefined) return `In the replay${where} no arm was run.`
  const assumptions = models.length > 1 ? ' under both flow models' : ` under ${models[0]}`
  if (second === undefined) {
    const against = besideHold(replayed, only)
    return against === null
      ? `${label(only)} was replayed alone${where}; there is nothing to compare it with.`
      : `In the replay${where} ${label(only)} ends ${against}; one history, so no claim of significance.`
  }
  const leaders = models.map((model) => leaderOf(own, model))
  const [first] = leaders
  if (first == null || leaders.some((leader) => leader !== first)) {
    return `In the replay${where} no arm has the highest net result${assumptions}; one history, so no claim of significance.`
  }
  const against = besideHold(replayed, first)
  const more = against === null ? '' : ` and ends ${against}`
  return `In the replay${where} ${label(first)} has the highest net result${assumptions}${more}; one history, so no claim of significance.`
}

/** The blocks of a replay, and that arms are judged on a part of them only. */
function placeOf({ study, result }: Headlined): string {
  const { window } = study.payload.spec
  const blocks = window ? ` of blocks ${window.fromBlock} to ${window.toBlock}` : ''
  const { search, coverage } = result
  if (search) return `${blocks} from ${timeText(search.splitAt)} on`
  const isWhole = !coverage || coverage.observedBlocks === coverage.blocks
  return isWhole ? blocks : `${blocks}, as far as it was observed,`
}

const timeText = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

/** Where an arm's net ends beside that of holding; null where that was not run. */
function besideHold(replayed: Headlined['replayed'], armId: string): string | null {
  const netOf = (id: string, model: string) =>
    replayed.find((arm) => arm.armId === id && arm.flowModel === model)?.waterfallHolder.net
  const signs = replayed
    .filter((arm) => arm.armId === armId)
    .flatMap(({ flowModel, waterfallHolder }) => {
      const other = netOf(hold, flowModel)
      if (other === undefined) return []
      const distance = BigInt(waterfallHolder.net) - BigInt(other)
      return [distance > 0n ? 'above' : distance < 0n ? 'below' : 'with']
    })
  const [first] = signs
  if (first === undefined) return null
  if (signs.every((sign) => sign === first)) return `${first} holding`
  return 'above holding under one flow model only'
}

/** The arm with the highest net under a flow model; null where two share it. */
function leaderOf(replayed: Headlined['replayed'], model: string): string | null {
  const sorted = replayed
    .filter(({ flowModel }) => flowModel === model)
    .map(({ armId, waterfallHolder }) => ({ armId, net: BigInt(waterfallHolder.net) }))
    .sort((a, b) => (a.net > b.net ? -1 : a.net < b.net ? 1 : 0))
  const [first, second] = sorted
  return first === undefined || first.net === second?.net ? null : first.armId
}

/** What a reader should know before the figures, each in a sentence. */
export function findingsInWords(findings: Findings): string[] {
  const { result, study, simulated } = findings
  const { fidelity, coverage, parity, paths, overfitting, search, calibration } = result
  const said: string[] = []
  if (fidelity) {
    said.push(
      `${fidelity.eventsExact} of ${fidelity.eventsReplayed} recorded events were replayed exactly.`,
    )
  }
  if (coverage) {
    said.push(
      `${coverage.observedBlocks} of ${coverage.blocks} blocks of the window were observed.`,
    )
  }
  if (paths && isOneCourse(findings)) {
    said.push(
      'Nothing in it is drawn: its paths are one course, so there is no interval to give and nothing to test.',
    )
  } else if (paths) {
    const reached = paths.precision === 'REACHED' ? 'was reached' : 'was not reached'
    said.push(
      `${paths.run} paths of ${paths.steps} steps of ${paths.stepSeconds} s; a half-width of ${paths.halfWidthPips} pips of the capital ${reached}.`,
    )
  }
  if (calibration) {
    said.push(
      `Models were calibrated from ${calibration.returns} returns of blocks ${calibration.fromBlock} to ${calibration.toBlock}.`,
      ...(calibration.volatility ? [volatilityText(calibration.volatility)] : []),
    )
  }
  if (search) {
    const chosen = Object.entries(search.chosen).map(([path, value]) => `${path} = ${value}`)
    said.push(
      `The parameters of ${labelsOf(findings)(search.armId)} were chosen among ${search.trials} trials on the time before ${timeText(search.splitAt)}; every arm is judged on the time after it alone. Chosen: ${chosen.join(', ')}.`,
    )
    said.push(
      overfitting
        ? `The probability that this choice is overfitted is ${(overfitting.pboPips / 10_000).toFixed(1)} %.`
        : 'The time before it is too short to say how likely this choice is overfitted.',
    )
  }
  said.push(
    parity.verdict === 'VERIFIED'
      ? 'The market’s mathematics were compared with the genuine bytecode.'
      : 'The market’s mathematics were not compared with the genuine bytecode for this build.',
  )
  if (
    simulated.length === 0 &&
    study.payload.spec.kind === 'REPLAY' &&
    result.state !== 'ABSTAINED'
  ) {
    said.push('A replay is one history; it says what would have happened then, not what will.')
  }
  if (result.state !== 'COMPLETED' || !result.assessesMarketHealth) {
    said.push('This report does not assess the health of the market.')
  }
  return said
}

const percentOf = (pips: number) => `${(pips / 10_000).toFixed(1)} %`

function volatilityText({
  estimator,
  estimatorVersion,
  readPips,
  reason,
  daysNeeded,
}: VolatilityReading): string {
  const known =
    readPips === null
      ? 'no volatility'
      : `a volatility of ${percentOf(readPips.value)} with a standard error of ${percentOf(readPips.standardError)}`
  const needed = daysNeeded === null ? '' : `, which takes ${daysNeeded} days`
  return `${estimator} ${estimatorVersion} read ${known} a year from the pool's own price${reason === null ? '' : `: ${reason}${needed}`}.`
}
