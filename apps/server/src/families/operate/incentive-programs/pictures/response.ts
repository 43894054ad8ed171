import {
  type Box,
  type Drawing,
  drawing,
  emptyNotes,
  frameOf,
  ink,
  isNarrow,
  lineBetween,
  magnitudeOf,
  noteOn,
  numberAxis,
  type Paper,
  type Shape,
  styleOf,
  textAt,
  titledPanels,
} from '@liquidity-os/drawing'
import {
  type DrawnProgram,
  drawsOf,
  inTokens,
  isMeasured,
  marketOf,
  responseTo,
  rewardPerDay,
  venueWords,
} from './drawn-program.ts'

/** Maximum venues in the chart; the record's table lists all. */
const maxVenues = 6
const steps = 10

interface Curve {
  readonly rewards: readonly number[]
  /** Depth gain at each reward, one list per draw, quote tokens. */
  readonly gains: readonly (readonly number[])[]
  readonly chosen: number
}

/** Depth response to rewards by venue: one line per draw, their median, and the chosen reward. */
export function drawResponse(program: DrawnProgram, paper: Paper): Drawing {
  const { allocation } = program.payload.result
  const shown = allocation.slice(0, maxVenues)
  const curves = shown.map((_, index) => curveOf(program, index))
  const { boxes, height, lift } = titledPanels(shown.length, 130, 0, paper)
  const shapes = curves.flatMap((curve, index) =>
    panelOf(curve, boxes[index]!, { title: venueWords(shown[index]!.venueId), lift, paper }),
  )
  const note = isMeasured(program)
    ? 'Lines are draws within the errors of earlier program measurements.'
    : 'No program has measured the response. Lines range from none to all of the yield-driven response.'
  const below = noteOn(paper, { x: isNarrow(paper) ? 8 : 52, y: height + 12 }, note, {
    color: ink.faint,
    size: 9.5,
  })
  return drawing(
    {
      id: 'incentive-response',
      title: 'Depth response to rewards',
      description: `${note} ${shown.length} of ${allocation.length} venues.`,
    },
    {
      columns: ['venueId', 'rewardPerDay', 'lowGain', 'middleGain', 'highGain'],
      rows: curves.flatMap((curve, index) =>
        (curve?.rewards ?? []).map((reward, step) => [
          ...[shown[index]!.venueId, reward, ...spreadAt(curve!, step)],
        ]),
      ),
    },
    { height: height + 22 + below.more, shapes: [...shapes, ...below.shapes] },
    paper,
  )
}

function curveOf(program: DrawnProgram, index: number): Curve | null {
  const market = marketOf(program, index)
  const chosen = rewardPerDay(program, index)
  if (!market) return null
  const usual = market.volumePerDay * market.feeShare
  const max = chosen > 0 ? chosen * 1.6 : usual
  const rewards = Array.from({ length: steps + 1 }, (_, step) => (max * step) / steps)
  const { days } = program.payload.request
  const gains = drawsOf(program, index).map((draw) =>
    rewards.map((reward) => inTokens(responseTo(market, draw, reward, days).gained, program)),
  )
  return {
    rewards: rewards.map((reward) => inTokens(reward, program)),
    gains,
    chosen: inTokens(chosen, program),
  }
}

/** Minimum, median and maximum gain of the draws at a reward. */
function spreadAt({ gains }: Curve, step: number): [number, number, number] {
  const sorted = gains.map((line) => line[step] ?? 0).toSorted((a, b) => a - b)
  return [sorted[0] ?? 0, sorted[sorted.length >> 1] ?? 0, sorted.at(-1) ?? 0]
}

function panelOf(
  curve: Curve | null,
  box: Box,
  { title, lift, paper }: { title: string; lift: number; paper: Paper },
): Shape[] {
  const heading = textAt(box.x, box.y - 22 - lift, title, { size: 11, isBold: true })
  if (!curve) return [heading, ...emptyNotes(box, 'No trades in the baseline.')]
  const { rewards, gains, chosen } = curve
  const { divisor, prefix } = magnitudeOf(Math.max(...gains.flat()))
  const x = numberAxis(rewards, [box.x, box.x + box.width], {
    title: 'reward per day, quote tokens',
    isTight: true,
    count: isNarrow(paper) ? 3 : 4,
  })
  const y = numberAxis(
    [0, ...gains.flat()].map((gain) => gain / divisor),
    [box.y + box.height, box.y],
    {
      title: `final depth gain, ${prefix}quote tokens`,
      count: 4,
    },
  )
  const pointsOf = (line: readonly number[]) =>
    line.map((gain, step) => ({ x: x.scale.at(rewards[step]!), y: y.scale.at(gain / divisor) }))
  const middle = rewards.map((_, step) => spreadAt(curve, step)[1])
  const [cloud, mark] = [styleOf(6).color, styleOf(1).color]
  const at = x.scale.at(chosen)
  return [
    heading,
    ...gains.map(
      (line): Shape => ({
        kind: 'line',
        points: pointsOf(line),
        stroke: { color: cloud, width: 0.6 },
      }),
    ),
    ...frameOf(box, x, y),
    { kind: 'line', points: pointsOf(middle), stroke: { color: styleOf(0).color, width: 2 } },
    ...(chosen > 0
      ? [
          lineBetween(
            { x: at, y: box.y },
            { x: at, y: box.y + box.height },
            {
              color: mark,
              width: 1.2,
              dash: [4, 3],
            },
          ),
          textAt(at - 4, box.y + 10, 'program', {
            anchor: 'end',
            size: 9.5,
            halo: ink.paper,
          }),
        ]
      : []),
  ]
}
