import type { Item } from '../api/records.ts'
import { valueAt } from '../declared/schema.ts'
import { wordOf } from '../fields/meaning.ts'
import { exactDecimal, percentOf, shortDecimal } from '../fields/numbers.ts'
import { useUnits } from '../fields/units.tsx'
import { Panel, Scrolled } from '../ui/parts.tsx'
import { type ArmOutcome, type Band, outcomesOf, type RunArm } from './outcomes.ts'
import styles from './pages.module.css'

/** What each way of providing liquidity gained and from what; nothing where the study replays no history. */
export function StudyOutcome({ item }: { item: Item }) {
  const { quote } = useUnits()
  const runs = valueAt(item, 'payload.result.arms')
  const declared = valueAt(item, 'payload.spec.arms')
  if (!Array.isArray(runs) || !Array.isArray(declared)) return null
  const labels = new Map(declared.map(({ armId, label }) => [String(armId), String(label)]))
  const outcomes = outcomesOf(runs as RunArm[], labels)
  const [first] = outcomes
  if (!first) return null
  const symbol = quote?.symbol ?? 'atomic units of the quote token'
  const assumptions = first.flowModels.map((one) => wordOf(one).toLowerCase())
  return (
    <Panel title={`What each arm gained, and from what, in ${symbol}`} isFlush>
      <Scrolled label="What each arm gained">
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
              <th scope="col">In range</th>
            </tr>
          </thead>
          <tbody>
            {outcomes.map((outcome) => (
              <tr key={outcome.armId}>
                <th scope="row">{outcome.label}</th>
                {columns.slice(1).map(({ name, of }) => (
                  <td key={name} data-label={name}>
                    {of ? <Span band={of(outcome)} /> : null}
                  </td>
                ))}
                <td data-label="In range">
                  {outcome.inRangePips === null ? '—' : percentOf(outcome.inRangePips)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      <p className={styles.foot}>
        {assumptions.length > 1
          ? `Each band reaches from one assumption on the traders to the other (${assumptions.join(', ')}). `
          : ''}
        One history, not a forecast.
      </p>
    </Panel>
  )
}

const columns: readonly { name: string; of?: (outcome: ArmOutcome) => Band }[] = [
  { name: 'Arm' },
  { name: 'Gain', of: ({ net }) => net },
  { name: 'Of it holding', of: ({ hold }) => hold },
  { name: 'Other mix of tokens', of: ({ mix }) => mix },
  { name: 'Along the curve', of: ({ curve }) => curve },
  { name: 'Fees', of: ({ fees }) => fees },
  { name: 'Gas, rebalancing', of: ({ costs }) => costs },
]

/** A band in the quote token, which the title of the table names. */
function Span({ band: { low, high } }: { band: Band }) {
  const decimals = useUnits().quote?.decimals ?? 0
  const title = (atoms: bigint) => exactDecimal(atoms, decimals)
  const text = (atoms: bigint) => shortDecimal(atoms, decimals, 5)
  return (
    <span
      className={styles.figure}
      title={low === high ? title(low) : `${title(low)} to ${title(high)}`}
    >
      {text(low) === text(high) ? text(low) : `${text(low)} to ${text(high)}`}
    </span>
  )
}
