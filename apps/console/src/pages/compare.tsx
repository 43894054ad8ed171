import { useQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { itemQuery, useMembership, useUnitsOf } from '../api/queries.ts'
import type { Item } from '../api/records.ts'
import { listTarget, recordTarget } from '../declared/pages.ts'
import { schemaAt } from '../declared/schema.ts'
import type { FamilyFile } from '../declared/types.ts'
import { labelOf } from '../fields/meaning.ts'
import { useTitle } from '../fields/title.ts'
import { Value } from '../fields/value.tsx'
import type { SearchParams } from '../routes.tsx'
import { Fault, Notice } from '../ui/notice.tsx'
import { PageLink } from '../ui/page-link.tsx'
import { Empty, Panel, Scrolled, Skeleton } from '../ui/parts.tsx'
import { Simulated } from '../ui/simulated.tsx'
import {
  areOfOneMeasure,
  type Change,
  changesBetween,
  compareBasis,
  differenceOf,
} from './differences.ts'
import styles from './pages.module.css'
import { Figure, type Picture, usePictures } from './pictures.tsx'
import { RecordUnits } from './record.tsx'

/** Side-by-side comparison of two records of one family: differences and charts. */
export function Compare({ file }: { file: FamilyFile }) {
  const { organizationId } = useMembership()
  const { a = '', b = '' } = useSearch({ strict: false }) as SearchParams
  const first = useQuery({ ...itemQuery(organizationId, file.entry, a), enabled: a !== '' })
  const second = useQuery({ ...itemQuery(organizationId, file.entry, b), enabled: b !== '' })
  const error = first.error ?? second.error
  if (error) return <Fault error={error} />
  const isMissing = a === '' || b === '' || first.data === null || second.data === null
  if (isMissing) {
    return (
      <Empty title="No records selected">
        <p>
          <PageLink to={listTarget(file.entry)}>Select two {file.entry.many}</PageLink>
        </p>
      </Empty>
    )
  }
  if (!first.data || !second.data) return <Skeleton lines={10} />
  return <SideBySide file={file} a={first.data.item} b={second.data.item} />
}

interface Two {
  file: FamilyFile
  a: Item
  b: Item
}

function SideBySide({ file, a, b }: Two) {
  const titleOf = useTitle()
  return (
    <>
      <p className={styles.trail}>
        <PageLink to={listTarget(file.entry)}>{file.entry.task}</PageLink>
      </p>
      <header className={styles.head}>
        <div>
          <h1>Comparison of two {file.entry.many}</h1>
          <p>
            First:{' '}
            <PageLink to={recordTarget(file.entry, String(a.id))}>
              {titleOf(file.entry, a)}
            </PageLink>{' '}
            <Simulated of={a} isShort />. Second:{' '}
            <PageLink to={recordTarget(file.entry, String(b.id))}>
              {titleOf(file.entry, b)}
            </PageLink>{' '}
            <Simulated of={b} isShort />.
          </p>
        </div>
      </header>
      <div className={styles.stack}>
        <ComparisonBasis a={a} b={b} />
        <Differences file={file} a={a} b={b} />
        {file.drawnIn === null ? null : (
          <ChartsSideBySide file={file} family={file.drawnIn} a={a} b={b} />
        )}
      </div>
    </>
  )
}

/** True if the figures are comparable. */
function ComparisonBasis({ a, b }: { a: Item; b: Item }) {
  const basis = compareBasis(a.payload, b.payload)
  const named = (isSame: boolean) =>
    basis
      .filter((one) => one.isSame === isSame)
      .map(({ name }) => labelOf(name).toLowerCase())
      .join(', ')
  if (basis.length === 0) return null
  return basis.every(({ isSame }) => isSame) ? (
    <Notice tone="good" title={`Same inputs: ${named(true)}`} />
  ) : (
    <Notice tone="warn" title={`Different inputs: ${named(false)}`}>
      <p>
        These inputs can explain different figures.
        {named(true) === '' ? '' : ` Same inputs: ${named(true)}.`}
      </p>
    </Notice>
  )
}

/** Displayed rows; the records contain all others. */
const maxRows = 300

function Differences({ file, a, b }: Two) {
  const unitsFor = useUnitsOf()
  const changes = changesBetween(
    { status: a.status, payload: a.payload },
    { status: b.status, payload: b.payload },
  )
  const isOneMeasure =
    areOfOneMeasure(a.payload, b.payload) &&
    JSON.stringify(unitsFor(file, a)) === JSON.stringify(unitsFor(file, b))
  if (changes.length === 0) return <Notice tone="good" title="No differences" />
  return (
    <Panel title={`${changes.length} different fields`} isFlush>
      <Scrolled label="Differences">
        <table className={styles.table}>
          <thead>
            <tr>
              {['Field', 'First', 'Second', 'Second − first'].map((name) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changes.slice(0, maxRows).map((change) => (
              <tr key={change.path}>
                <th scope="row">
                  <code>{change.path.replace(/^payload\./, '')}</code>
                </th>
                <td data-label="First">
                  <RecordUnits file={file} item={a}>
                    <Side file={file} path={change.path} value={change.from} />
                  </RecordUnits>
                </td>
                <td data-label="Second">
                  <RecordUnits file={file} item={b}>
                    <Side file={file} path={change.path} value={change.to} />
                  </RecordUnits>
                </td>
                <td data-label="Second − first">
                  <RecordUnits file={file} item={a}>
                    <Less file={file} change={change} isOneMeasure={isOneMeasure} />
                  </RecordUnits>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scrolled>
      {changes.length > maxRows ? (
        <p className={styles.foot}>{changes.length - maxRows} more rows in the records.</p>
      ) : null}
    </Panel>
  )
}

/** A member by its path; list entries are addressed by name. */
function Side({ file, path, value }: { file: FamilyFile; path: string; value: unknown }) {
  return (
    <Value
      name={path.split('.').at(-1) ?? path}
      value={value}
      schema={schemaAt(file.item, path, file.defs)}
      defs={file.defs}
    />
  )
}

/** Difference of the second to the first, if both have the same unit. */
function Less({
  file,
  change,
  isOneMeasure,
}: {
  file: FamilyFile
  change: Change
  isOneMeasure: boolean
}) {
  const difference = differenceOf(change)
  const schema = schemaAt(file.item, change.path, file.defs)
  if (difference === null || !isOneMeasure || schema === undefined) return <>—</>
  return <Side file={file} path={change.path} value={difference.toString()} />
}

/** Charts with the same name side by side; a chart without a counterpart appears alone. */
function ChartsSideBySide({ file, family, a, b }: Two & { family: string }) {
  const first = usePictures(family, String(a.id)).data ?? []
  const second = usePictures(family, String(b.id)).data ?? []
  const names = [...new Set([...first, ...second].map(({ name }) => name))]
  const drawnIn = (pictures: readonly Picture[], name: string) =>
    pictures.find((one) => one.name === name && one.table.rows.length > 0)
  return names.map((name) => {
    const [firstChart, secondChart] = [drawnIn(first, name), drawnIn(second, name)]
    return (
      <div key={name} className={styles.beside}>
        {firstChart ? (
          <RecordUnits file={file} item={a}>
            <Figure picture={firstChart} of="first" />
          </RecordUnits>
        ) : null}
        {secondChart ? (
          <RecordUnits file={file} item={b}>
            <Figure picture={secondChart} of="second" />
          </RecordUnits>
        ) : null}
      </div>
    )
  })
}
