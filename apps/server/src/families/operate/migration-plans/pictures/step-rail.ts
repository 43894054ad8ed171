import {
  type Drawing,
  drawing,
  fitText,
  ink,
  isNarrow,
  lineBetween,
  type Paper,
  printShort,
  type Shape,
  styleOf,
  textAt,
} from '@liquidity-os/drawing'
import {
  type DrawnPlan,
  type DrawnState,
  inTokens,
  realizedSteps,
  worthOf,
} from './migration-course.ts'

const rowHeight = 20
const top = 44
const usualRail = 60
/** Maximum rows on a page; a note states the number omitted. */
const maxRows = 60

/** All steps in order: kind, progress, checkpoint, and whether a rollback is possible. */
export function drawStepRail(plan: DrawnPlan, state: DrawnState, paper: Paper): Drawing {
  const isTwoLined = isNarrow(paper)
  const height = isTwoLined ? 2 * rowHeight : rowHeight
  const rail = isTwoLined ? 24 : usualRail
  const done = realizedSteps(state)
  const shown = plan.steps.slice(0, maxRows)
  const place = (step: number) => top + step * height + 10
  const checkpoints = new Set(state.checkpoints.map(({ checkpoint }) => checkpoint))
  const shapes: Shape[] = [
    lineBetween(
      { x: rail, y: place(0) },
      { x: rail, y: place(shown.length - 1) },
      { color: ink.axis, width: 1.5 },
    ),
    ...(isTwoLined
      ? []
      : ['step', 'what', 'tranche', 'moves, quote', 'state', 'rollback'].map((name, column) =>
          textAt(columnsAt[column]!, 28, name, { color: ink.faint }),
        )),
  ]
  for (const record of shown) {
    const { step, kind, tranche, expected, pointOfNoReturn, calls } = record
    const y = place(step)
    const outcome = done.get(step)
    const isNext = state.way === 'FORWARD' && state.step === step
    const words = outcome?.state ?? (isNext ? (state.inFlight?.state ?? 'next') : 'pending')
    const style = styleOf(outcome ? (outcome.state === 'VERIFIED' ? 2 : 1) : 0)
    const form = calls.length > 0 ? 'square' : kind === 'SOAK' ? 'diamond' : 'circle'
    const isHollow = outcome === undefined
    shapes.push({ kind: 'mark', form, x: rail, y, size: 9, color: style.color, isHollow })
    const value = inTokens(worthOf(expected.delta, plan), plan)
    const cells = [
      `${step}`,
      kind,
      tranche === 0 ? 'pilot' : `${tranche}`,
      value === 0 ? '' : printShort(value),
      words.toLowerCase(),
      pointOfNoReturn ? 'none: no return' : 'open',
    ]
    if (isTwoLined) {
      const marked = checkpoints.has(step + 1) ? [`checkpoint ${step + 1}`] : []
      const [number, what, part, moved, came, back] = cells
      const second = [moved, came, `rollback ${back}`, ...marked].filter(Boolean).join(' · ')
      const availableWidth = paper.width - 46
      const first = `${number} ${what}, ${tranche === 0 ? part : `tranche ${part}`}`
      shapes.push(
        textAt(42, y + 3.5, fitText(first, availableWidth, 11, isNext), {
          size: 11,
          isBold: isNext,
        }),
        textAt(42, y + 18, fitText(second, availableWidth, 11), { size: 11, color: ink.faint }),
      )
    } else
      shapes.push(
        ...cells.map((cell, column) =>
          textAt(columnsAt[column]!, y + 3.5, fitText(cell, 120, 10), {
            isBold: isNext || (column === 5 && pointOfNoReturn),
          }),
        ),
      )
    if (!isTwoLined && checkpoints.has(step + 1))
      shapes.push(textAt(650, y + 3.5, `checkpoint ${step + 1}`))
    if (pointOfNoReturn) {
      shapes.push({
        kind: 'mark',
        form: 'cross',
        x: isTwoLined ? 8 : 30,
        y,
        size: 8,
        color: '#d55e00',
        isHollow: false,
      })
    }
  }
  const hiddenCount = plan.steps.length - shown.length
  const bottom = place(shown.length)
  if (hiddenCount > 0)
    shapes.push(textAt(isTwoLined ? 42 : columnsAt[0]!, bottom, `and ${hiddenCount} more steps`))
  return drawing(
    {
      id: 'migration-steps',
      title: 'Migration steps',
      description: 'One row per step. Filled: completed. Hollow: pending. Cross: no rollback.',
    },
    {
      columns: ['step', 'kind', 'tranche', 'deltaBase', 'deltaQuote', 'state', 'pointOfNoReturn'],
      rows: plan.steps.map(({ step, kind, tranche, expected, pointOfNoReturn }) => [
        ...[`${step}`, kind, `${tranche}`, expected.delta.base, expected.delta.quote],
        ...[done.get(step)?.state ?? 'PENDING', `${pointOfNoReturn}`],
      ]),
    },
    { height: bottom + 16, shapes },
    paper,
  )
}

const columnsAt = [78, 112, 240, 310, 420, 520] as const
