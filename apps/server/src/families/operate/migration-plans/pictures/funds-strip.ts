import {
  chartBox,
  type Drawing,
  drawing,
  emptyNote,
  flowedKeys,
  hatch,
  ink,
  isNarrow,
  type Paper,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import { type DrawnPlan, worthOf } from './migration-course.ts'

/** Location of the value after each step: old positions, in transit, new positions. */
export function drawFundsStrip(plan: DrawnPlan, paper: Paper): Drawing {
  const places = fundsOf(plan)
  const total = places[0]?.sources ?? 0n
  const names = ['old positions', 'wallet', 'new positions'] as const
  const styles = [styleOf(0), styleOf(5), styleOf(2)] as const
  const keys = flowedKeys(
    names.map((name, index): Shape[] => {
      const x = 60 + index * 150
      const fill = styles[index]!.color
      return [{ kind: 'rect', x, y: 22, width: 12, height: 12, fill }, textAt(x + 18, 32, name)]
    }),
    paper,
  )
  const left = isNarrow(paper) ? 14 : 60
  const box = chartBox({ x: left, y: 52 + keys.more, height: 120 }, 40, paper)
  const width = box.width / Math.max(1, places.length)
  const shapes: Shape[] = [...keys.shapes]
  if (total === 0n) shapes.push(emptyNote(box, 'No funds move.'))
  for (const [place, { sources, wallet, targets }] of total === 0n ? [] : places.entries()) {
    let y = box.y + box.height
    for (const [index, value] of [sources, wallet, targets].entries()) {
      const share = Number((value * 1_000_000n) / total) / 1_000_000
      const height = Math.max(0, share * box.height)
      y -= height
      if (height === 0) continue
      const bar = { x: box.x + place * width, y, width: width * 0.92, height }
      shapes.push({ kind: 'rect', ...bar, fill: styles[index]!.color })
      // Hatching distinguishes value in transit without color too.
      if (index === 1) shapes.push(...hatch(bar, ink.paper))
    }
  }
  const every = Math.max(1, Math.ceil(places.length / (isNarrow(paper) ? 8 : 16)))
  for (let place = 0; place < places.length; place += every) {
    const x = box.x + (place + 0.46) * width
    shapes.push(
      textAt(x, box.y + box.height + 15, `${place}`, { anchor: 'middle', color: ink.faint }),
    )
  }
  shapes.push(
    textAt(box.x + box.width / 2, box.y + box.height + 31, 'completed steps', {
      anchor: 'middle',
      color: ink.faint,
    }),
  )
  return drawing(
    {
      id: 'migration-funds',
      title: 'Location of funds',
      description:
        'Simulated, one bar per step. Bottom: old positions. Hatched: wallet. Top: new positions.',
    },
    {
      columns: ['stepsEnded', 'sources', 'wallet', 'targets'],
      rows: places.map(({ sources, wallet, targets }, index) => [
        ...[`${index}`, `${sources}`, `${wallet}`, `${targets}`],
      ]),
    },
    { height: box.y + box.height + 44, shapes },
    paper,
  )
}

/** Value at the plan price, quote atoms, from the start. */
function fundsOf(plan: DrawnPlan) {
  const isOut = ({ kind, expected }: DrawnPlan['steps'][number]) =>
    (kind === 'COLLECT' || kind === 'REMOVE') && worthOf(expected.delta, plan) > 0n
  const whole = plan.steps
    .filter(isOut)
    .reduce((sum, { expected }) => sum + worthOf(expected.delta, plan), 0n)
  let [sources, targets] = [whole, 0n]
  const course = plan.steps.map((step) => {
    const value = worthOf(step.expected.delta, plan)
    if (isOut(step)) sources -= value
    if (step.kind === 'MINT') targets -= value
    return { sources, wallet: worthOf(step.expected.wallet, plan), targets }
  })
  return [{ sources: whole, wallet: 0n, targets: 0n }, ...course]
}
