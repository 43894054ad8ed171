import type { contract } from '@liquidity-os/contract'
import type { Static } from 'typebox'
import type { Findings } from './report-input.ts'

type VolatilityReading = Static<typeof contract.VolatilityReading>

type Named = Pick<Findings, 'arms' | 'result'>

function labelsOf({ arms }: Named): (id: string) => string {
  return (id) => `“${arms.find(({ armId }) => armId === id)?.label ?? id}”`
}

/** Without random draws all paths are equal, so their count is meaningless. */
const isOneCourse = ({ result }: Named) => result.paths?.varies === false

const timeText = (seconds: number) => `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`

/** Key findings before the figures, one sentence each. */
export function findingsInWords(findings: Findings): string[] {
  const { result, study, simulated } = findings
  const { fidelity, coverage, parity, paths, overfitting, search, calibration } = result
  const stated: string[] = []
  if (fidelity) {
    stated.push(
      `${fidelity.eventsExact} of ${fidelity.eventsReplayed} recorded events were replayed exactly.`,
    )
  }
  if (coverage) {
    stated.push(
      `${coverage.observedBlocks} of ${coverage.blocks} blocks of the window were observed.`,
    )
  }
  if (paths && isOneCourse(findings)) {
    stated.push(
      'The study has no random input: its paths are identical, so it has no interval and no significance test.',
    )
  } else if (paths) {
    const reached = paths.precision === 'REACHED' ? 'was reached' : 'was not reached'
    stated.push(
      `${paths.run} paths of ${paths.steps} steps of ${paths.stepSeconds} s; a half-width of ${paths.halfWidthPips} pips of the capital ${reached}.`,
    )
  }
  if (calibration) {
    stated.push(
      `Models were calibrated from ${calibration.returns} returns of blocks ${calibration.fromBlock} to ${calibration.toBlock}.`,
      ...(calibration.volatility ? [volatilityText(calibration.volatility)] : []),
    )
  }
  if (search) {
    const chosen = Object.entries(search.chosen).map(([path, value]) => `${path} = ${value}`)
    stated.push(
      `The parameters of ${labelsOf(findings)(search.armId)} were chosen from ${search.trials} trials before ${timeText(search.splitAt)}. All candidates are evaluated only after that time. Chosen: ${chosen.join(', ')}.`,
    )
    stated.push(
      overfitting
        ? `The probability of overfitting for this choice is ${(overfitting.pboPips / 10_000).toFixed(1)} %.`
        : 'The period before that time is too short to estimate the probability of overfitting.',
    )
  }
  stated.push(
    parity.verdict === 'VERIFIED'
      ? 'The market math was compared with the original bytecode.'
      : 'The market math of this build was not compared with the original bytecode.',
  )
  if (
    simulated.length === 0 &&
    study.payload.spec.kind === 'REPLAY' &&
    result.state !== 'ABSTAINED'
  ) {
    stated.push('A replay simulates one past history. It is not a forecast.')
  }
  if (result.state !== 'COMPLETED' || !result.assessesMarketHealth) {
    stated.push('This report does not assess market health.')
  }
  return stated
}

const percentOf = (pips: number) => `${(pips / 10_000).toFixed(1)} %`

function volatilityText({
  estimator,
  estimatorVersion,
  readPips,
  reason,
  daysNeeded,
  feeBandPips,
}: VolatilityReading): string {
  const known =
    readPips === null
      ? 'no volatility'
      : `a volatility of ${percentOf(readPips.value)} with a standard error of ${percentOf(readPips.standardError)}`
  const needed = daysNeeded === null ? '' : `, which requires ${daysNeeded} days`
  const plateau = feeBandPips
    ? `, at the plateau of longer intervals (${percentOf(feeBandPips.value)} at those of the fee band)`
    : ''
  return `${estimator} ${estimatorVersion} estimated ${known} per year from the pool's own price${plateau}${reason === null ? '' : `: ${reason}${needed}`}.`
}
