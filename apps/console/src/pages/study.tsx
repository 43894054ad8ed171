import { useQuery } from '@tanstack/react-query'
import { useJobEvents } from '../api/job-events.ts'
import { usePlace } from '../api/queries.ts'
import type { Item } from '../api/records.ts'
import { read } from '../api/send.ts'
import { valueAt } from '../declared/schema.ts'
import { wordOf } from '../fields/meaning.ts'
import { exactDecimal, percentOf, shortDecimal } from '../fields/numbers.ts'
import { useUnits } from '../fields/units.tsx'
import { Panel, Progress, Scrolled } from '../ui/parts.tsx'
import { ArmIntervals } from './arm-intervals.tsx'
import { AskAgain } from './ask-again.tsx'
import { type Estimates, looksIn, type PathArm, rowsOfLooks, rowsOfResult } from './estimates.ts'
import { type ArmOutcome, type Band, outcomesOf, type RunArm } from './outcomes.ts'
import styles from './pages.module.css'

/** A study on its page: what is known of it while it runs, what came out, and the same with another arm. */
export function Study({ item }: { item: Item }) {
  return (
    <>
      {isRunning(item) ? <StudyUnderWay item={item} /> : <PathOutcome item={item} />}
      <StudyOutcome item={item} />
      <AskAgain key={item.id} item={item} />
    </>
  )
}

const isRunning = ({ status }: Item) => status === 'VALIDATED' || status === 'ACTIVE'

/** Names of the arms that were asked for, by their ids. */
function labelsIn(item: Item): Map<string, string> {
  const declared = valueAt(item, 'payload.spec.arms')
  const arms = Array.isArray(declared) ? declared : []
  return new Map(arms.map(({ armId, label }) => [String(armId), String(label)]))
}

const gainTitle = (symbol: string | undefined) =>
  `Mean gain over holding, in ${symbol ?? 'atomic units of the quote token'}`

/** What the paths so far say, told anew after every batch; a replay has none. */
function StudyUnderWay({ item }: { item: Item }) {
  const { quote } = useUnits()
  const { organizationId } = usePlace()
  const jobs = useJobEvents(String(item.id), isRunning(item))
  // What was told before the page was opened.
  const { data: before } = useQuery({
    queryKey: [organizationId, 'study-progress', item.id],
    queryFn: () =>
      read<{ estimates: Estimates | null }>(organizationId, `/studies/${item.id}/progress`),
  })
  const looks = looksIn([{ preliminary: before?.estimates ?? undefined }, ...jobs])
  const newest = looks.at(-1)
  if (valueAt(item, 'payload.spec.kind') === 'REPLAY') {
    return (
      <Panel title="The study runs">
        <Progress pips={jobs.at(-1)?.progressPips ?? 0} label="The study" />
        <p role="status">It goes along one history, and says what came out when it has.</p>
      </Panel>
    )
  }
  return (
    <Panel title={gainTitle(quote?.symbol)} note="Preliminary">
      <Progress pips={jobs.at(-1)?.progressPips ?? 0} label="The study" />
      <p role="status">
        {newest
          ? `${countOf(newest.paths.done)} of at most ${countOf(newest.paths.most)} paths. The usual interval is ±${percentOf(newest.halfWidthPips.reached)} of the capital; it ends at ±${percentOf(newest.halfWidthPips.asked)}.`
          : 'Nothing is known yet.'}
      </p>
      {newest ? (
        <>
          <ArmIntervals label="What is known so far" rows={rowsOfLooks(looks, labelsIn(item))} />
          <p className={styles.foot}>
            Each interval holds about 95 times in 100 at all looks together, less often early on for
            skewed outcomes; it is wider than that of the result. Pale: what was known before.
          </p>
        </>
      ) : null}
    </Panel>
  )
}

const countOf = (count: number) => count.toLocaleString('en-US')

/** What came out of a study over paths; nothing of a replay. */
function PathOutcome({ item }: { item: Item }) {
  const { quote } = useUnits()
  const arms = valueAt(item, 'payload.result.arms')
  const rows = Array.isArray(arms) ? rowsOfResult(arms as PathArm[], labelsIn(item)) : []
  if (rows.length === 0) return null
  const run = valueAt(item, 'payload.result.paths.run')
  return (
    <Panel title={gainTitle(quote?.symbol)}>
      <ArmIntervals label="What came out" rows={rows} />
      <p className={styles.foot}>95 % intervals of the mean over {countOf(Number(run))} paths.</p>
    </Panel>
  )
}

/** What each way of providing liquidity gained and from what; nothing where the study replays no history. */
export function StudyOutcome({ item }: { item: Item }) {
  const { quote } = useUnits()
  const runs = valueAt(item, 'payload.result.arms')
  const isReplay = valueAt(item, 'payload.spec.kind') === 'REPLAY'
  if (!Array.isArray(runs) || !isReplay) return null
  const labels = labelsIn(item)
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
