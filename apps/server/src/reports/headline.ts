import type { Findings } from './report-input.ts'

/**
 * The report in one sentence, from verdicts only: PARTIAL and ABSTAINED are said first, an arm stands out of a
 * simulation only where every comparison says so, and out of a replay only as a fact about that one history.
 */
export function headlineOf(findings: Findings): string {
  const { state, reasons } = findings.result
  const why = reasons.length > 0 ? ` (${reasons.join(', ')})` : ''
  if (state === 'ABSTAINED') {
    return cut(`The study abstains${why}: no figure of an arm is given.`)
  }
  const said = findings.simulated.length > 0 ? ofSimulation(findings) : ofReplay(findings)
  return cut(state === 'PARTIAL' ? `Partial${why}. ${said}` : said)
}

const cut = (text: string) => (text.length <= 500 ? text : `${text.slice(0, 499)}…`)

function ofSimulation({ simulated, arms, result, study }: Findings): string {
  const { comparisons, paths } = result
  const label = (id: string) => `“${arms.find(({ armId }) => armId === id)?.label ?? id}”`
  const many = paths === null ? '' : ` on ${paths.run} paths`
  const [only] = simulated
  if (only === undefined) return 'No arm was simulated.'
  if (simulated.length === 1) {
    return `${label(only.armId)} was simulated alone${many}; there is nothing to compare it with.`
  }
  const beats = (a: string, b: string) =>
    comparisons.some(
      (one) =>
        (one.a === a && one.b === b && one.verdict === 'A') ||
        (one.a === b && one.b === a && one.verdict === 'B'),
    )
  const winner = simulated.find(({ armId }) =>
    simulated.every((other) => other.armId === armId || beats(armId, other.armId)),
  )
  const scope = study.payload.spec.kind === 'SCENARIO' ? 'In this scenario' : 'Under the model'
  if (winner !== undefined) {
    return `${scope}, ${label(winner.armId)} has a higher mean net against holding than every other arm${many} (95 %, Holm-adjusted).`
  }
  const open = comparisons.filter(({ verdict }) => verdict === 'INDISTINGUISHABLE')
  if (open.length === comparisons.length) {
    return `${scope}, no arm can be told from another by its mean net against holding${many} (95 %, Holm-adjusted).`
  }
  return `${scope}, no arm stands above all others${many}: ${open.length} of ${comparisons.length} pairs are indistinguishable (95 %, Holm-adjusted).`
}

function ofReplay({ replayed, arms, study }: Findings): string {
  const label = (id: string) => `“${arms.find(({ armId }) => armId === id)?.label ?? id}”`
  const { window } = study.payload.spec
  const where = window ? ` of blocks ${window.fromBlock} to ${window.toBlock}` : ''
  const ids = [...new Set(replayed.map(({ armId }) => armId))]
  const models = [...new Set(replayed.map(({ flowModel }) => flowModel))]
  const [only] = ids
  if (only === undefined) return `In the replay${where} no arm was run.`
  if (ids.length === 1) {
    return `${label(only)} was replayed alone${where}; there is nothing to compare it with.`
  }
  const leaders = models.map((model) => leaderOf(replayed, model))
  const [first] = leaders
  const assumptions = models.length > 1 ? ' under both flow models' : ` under ${models[0]}`
  if (first == null || leaders.some((leader) => leader !== first)) {
    return `In the replay${where} no arm has the highest net result${assumptions}; one history, so no claim of significance.`
  }
  return `In the replay${where} ${label(first)} has the highest net result${assumptions}; one history, so no claim of significance.`
}

/** The arm with the highest net under a flow model; null where two share it. */
function leaderOf(replayed: Findings['replayed'], model: string): string | null {
  const sorted = replayed
    .filter(({ flowModel }) => flowModel === model)
    .map(({ armId, waterfallHolder }) => ({ armId, net: BigInt(waterfallHolder.net) }))
    .sort((a, b) => (a.net > b.net ? -1 : a.net < b.net ? 1 : 0))
  const [first, second] = sorted
  return first === undefined || first.net === second?.net ? null : first.armId
}

/** What a reader should know before the figures, each in a sentence. */
export function findingsInWords({ result, study, simulated }: Findings): string[] {
  const { fidelity, coverage, parity, paths, overfitting, calibration } = result
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
  if (paths) {
    const reached = paths.precision === 'REACHED' ? 'was reached' : 'was not reached'
    said.push(
      `${paths.run} paths of ${paths.steps} steps of ${paths.stepSeconds} s; a half-width of ${paths.halfWidthPips} pips of the capital ${reached}.`,
    )
  }
  if (calibration) {
    said.push(
      `Models were calibrated from ${calibration.returns} returns of blocks ${calibration.fromBlock} to ${calibration.toBlock}.`,
    )
  }
  if (overfitting) {
    said.push(
      `Parameters were chosen among ${overfitting.trials} trials; the probability that the choice is overfitted is ${(overfitting.pboPips / 10_000).toFixed(1)} %.`,
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
