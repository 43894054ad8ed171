import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useId, useState } from 'react'
import {
  pageQuery,
  RecordNamesContext,
  useMarketOf,
  useMembership,
  useUnitsOf,
} from '../api/queries.ts'
import { permissionReason } from '../declared/disabled-reasons.ts'
import { compareTarget, createPages, pageSearch, recordTarget } from '../declared/pages.ts'
import { resolve, schemaAt, valueAt } from '../declared/schema.ts'
import type { FamilyFile, OperationFile, Schema } from '../declared/types.ts'
import { headingsOf, labelOf, wordOf } from '../fields/meaning.ts'
import { useTitle } from '../fields/title.ts'
import { UnitsContext } from '../fields/units.tsx'
import { Value } from '../fields/value.tsx'
import { OperationForm } from '../forms/operation-form.tsx'
import type { SearchParams } from '../routes.tsx'
import { Button } from '../ui/button.tsx'
import { CompareBox } from '../ui/compare-box.tsx'
import { ExportLinks } from '../ui/export-links.tsx'
import { Fault } from '../ui/notice.tsx'
import { PageLink, toPage, useOpenPage } from '../ui/page-link.tsx'
import { Empty, Panel, Scrolled, Skeleton } from '../ui/parts.tsx'
import { Simulated } from '../ui/simulated.tsx'
import styles from './pages.module.css'
import { LiquidityPolicy } from './policies/liquidity-policy.tsx'
import { ProposalQueue } from './proposals/queue.tsx'
import { columnsOf, type RowsProps } from './rows.ts'

/** URL parameters that are not API filters. */
const ours = new Set(['form', 'tab', 'list'])

/** All records of a family: filters and pages of the API, and create operations. */
export function RecordsPage({
  file,
  isSection = false,
}: {
  file: FamilyFile
  /** True below the title of an area. */
  isSection?: boolean
}) {
  const search = useSearch({ strict: false }) as SearchParams
  const { organizationId } = useMembership()
  const { entry } = file
  const operation = file.list ? file.operations[file.list] : undefined
  const query = Object.fromEntries(
    Object.entries(search).filter(
      ([name]) => operation && name in operation.query && !ours.has(name),
    ),
  )
  const page = useQuery({
    ...pageQuery(organizationId, file, query),
    enabled: operation !== undefined,
    placeholderData: keepPreviousData,
    refetchInterval: 15_000,
  })
  const [chosen, setChosen] = useState<readonly string[]>([])
  const form = search.form ? file.operations[search.form] : undefined
  const { cursor: _cursor, limit: _limit, ...filters } = query
  const isFiltered = Object.keys(filters).length > 0
  // An empty list has its own create buttons.
  const isEmpty = page.data?.data.length === 0 && !isFiltered
  const isWaiting = operation !== undefined && page.isPending
  return (
    <>
      <header className={styles.head}>
        <div>
          {isSection ? <h2>{entry.task}</h2> : <h1>{entry.task}</h1>}
          <p>{entry.summary}</p>
        </div>
        {isWaiting || isEmpty ? null : <Beginnings file={file} />}
      </header>
      {form?.body ? (
        <OperationForm key={form.id} file={file} operation={form} given={search} />
      ) : null}
      {operation ? (
        <Panel isFlush>
          {isEmpty ? null : (
            <div className={styles.tools}>
              <Filters operation={operation} file={file} query={search} />
              <div className={styles.actions}>
                {file.isRecord && (page.data?.data.length ?? 0) > 1 ? (
                  <CompareButton file={file} chosen={chosen} />
                ) : null}
                <ExportLinks view={`lists/${entry.key}`} query={filters} />
              </div>
            </div>
          )}
          {page.error ? (
            <div className={styles.inset}>
              <Fault error={page.error} onRetry={() => void page.refetch()} />
            </div>
          ) : !page.data ? (
            <Skeleton lines={8} />
          ) : page.data.data.length === 0 ? (
            <NoRecords file={file} isFiltered={isFiltered} hasForm={form !== undefined} />
          ) : (
            // A page of the proof log links up to 50 records.
            <RecordNamesContext value={entry.key !== 'proof'}>
              <RowsOfFamily
                file={file}
                items={page.data.data}
                chosen={chosen}
                onChoose={(id) =>
                  setChosen(
                    chosen.includes(id)
                      ? chosen.filter((one) => one !== id)
                      : [...chosen, id].slice(-2),
                  )
                }
              />
            </RecordNamesContext>
          )}
          {page.data && page.data.data.length > 0 ? (
            <Pages file={file} meta={page.data.meta} search={search} />
          ) : null}
        </Panel>
      ) : form || file.empty === null ? null : (
        <p className={styles.inset}>{file.empty}</p>
      )}
      {entry.key === 'policy-intent-drafts' && form === undefined ? <LiquidityPolicy /> : null}
    </>
  )
}

/** An empty list: the state, and how to create records. */
function NoRecords({
  file,
  isFiltered,
  hasForm,
}: {
  file: FamilyFile
  isFiltered: boolean
  hasForm: boolean
}) {
  if (isFiltered) {
    return (
      <Empty title="No matches">
        <p>Remove a filter to see more.</p>
      </Empty>
    )
  }
  return (
    <Empty title={`No ${file.entry.many}`}>
      {file.empty === null ? null : <p>{file.empty}</p>}
      {hasForm ? null : <Beginnings file={file} />}
    </Empty>
  )
}

/** Create operations: operations of the family without a record id. */
function Beginnings({ file }: { file: FamilyFile }) {
  const { role } = useMembership()
  const navigate = useNavigate()
  const openPage = useOpenPage()
  const search = useSearch({ strict: false }) as SearchParams
  return (
    <div className={styles.actions}>
      {file.creates.map((id, index) => {
        const operation = file.operations[id] as OperationFile
        const page = createPages[id]
        const label = page?.label ?? file.actions[id]?.label ?? operation.summary
        const disabledReason = permissionReason(role, operation.permission)
        return (
          <Button
            key={id}
            look={index === 0 && disabledReason === null ? 'primary' : 'plain'}
            icon={index === 0 ? 'plus' : 'arrow-right'}
            disabledReason={disabledReason}
            data-key={index === 0 ? 'new' : undefined}
            onClick={() =>
              page
                ? void openPage(toPage(page.path))
                : void navigate({ to: '.', search: { ...pageSearch(search), form: id } as never })
            }
          >
            {label}
          </Button>
        )
      })}
    </div>
  )
}

function Filters({
  operation,
  file,
  query,
}: {
  operation: OperationFile
  file: FamilyFile
  query: SearchParams
}) {
  const navigate = useNavigate()
  const search = useSearch({ strict: false }) as SearchParams
  const names = Object.keys(operation.query).filter((name) => name !== 'cursor' && name !== 'limit')
  const change = (name: string, value: string) => {
    const { cursor: _cursor, [name]: _old, ...rest } = query
    void navigate({
      to: '.',
      search: {
        ...pageSearch(search),
        ...rest,
        ...(value === '' ? {} : { [name]: value }),
      } as never,
    })
  }
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  if (names.length === 0) return null
  return (
    <>
      <div className={styles.filterToggle}>
        <Button isSmall aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          Filters
        </Button>
      </div>
      <div id={id} className={styles.filters} data-open={isOpen}>
        {names.map((name) => (
          <Filter
            key={name}
            name={name}
            file={file}
            schema={operation.query[name]}
            value={query[name] ?? ''}
            onChange={(value) => change(name, value)}
          />
        ))}
      </div>
    </>
  )
}

const orderTexts: Readonly<Record<string, string>> = { desc: 'Newest first', asc: 'Oldest first' }

function Filter({
  name,
  schema,
  file,
  value,
  onChange,
}: {
  name: string
  schema: Schema | undefined
  file: FamilyFile
  value: string
  onChange: (value: string) => void
}) {
  const id = useId()
  const { schema: found } = resolve(schema, file.defs)
  return (
    <label htmlFor={id} title={found.description}>
      <span>
        {labelOf(name)}
        {found.format === 'date-time' ? ' (UTC)' : ''}
      </span>
      {found.enum ? (
        <select id={id} value={value} onChange={(event) => onChange(event.target.value)}>
          {name === 'order' ? null : <option value="">Any</option>}
          {found.enum.map((one) => (
            <option key={String(one)} value={String(one)}>
              {orderTexts[String(one)] ?? wordOf(String(one))}
            </option>
          ))}
        </select>
      ) : found.format === 'date-time' ? (
        <input
          id={id}
          key={value}
          type="date"
          min="2015-01-01"
          defaultValue={value.slice(0, 10)}
          onBlur={({ target }) => commitDay(target, value, onChange)}
          onKeyDown={({ key, currentTarget }) =>
            key === 'Enter' && commitDay(currentTarget, value, onChange)
          }
        />
      ) : (
        <input
          id={id}
          key={value}
          defaultValue={value}
          placeholder="Any"
          onBlur={(event) => event.target.value !== value && onChange(event.target.value.trim())}
          onKeyDown={(event) => event.key === 'Enter' && onChange(event.currentTarget.value.trim())}
        />
      )}
    </label>
  )
}

/** Applies a complete date; an incomplete one stays in the field. */
function commitDay(
  { value: day, validity }: HTMLInputElement,
  before: string,
  onChange: (value: string) => void,
): void {
  const next = day === '' ? '' : `${day}T00:00:00Z`
  if (validity.valid && next !== before) onChange(next)
}

function CompareButton({ file, chosen }: { file: FamilyFile; chosen: readonly string[] }) {
  const openPage = useOpenPage()
  const [a, b] = chosen
  return (
    <Button
      icon="scale"
      isSmall
      disabledReason={a && b ? null : 'Select two records.'}
      onClick={() => a && b && void openPage(compareTarget(file.entry, [a, b]))}
    >
      Compare
    </Button>
  )
}

function RowsOfFamily(props: RowsProps) {
  return props.file.entry.key === 'proposals' ? <ProposalQueue {...props} /> : <Rows {...props} />
}

function Rows({ file, items, chosen, onChoose }: RowsProps) {
  const unitsFor = useUnitsOf()
  const titleOf = useTitle()
  const marketOf = useMarketOf()
  const columns = columnsOf(file)
  const headings = headingsOf(columns, ['Name'])
  const lastName = (path: string) => path.split('.').at(-1) ?? path
  return (
    <Scrolled label="Records">
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">Name</th>
            {columns.map((path) => (
              <th key={path} scope="col">
                {headings.get(path)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {items.map((item, index) => (
            <tr key={item.id ?? String(item.contentHash ?? index)}>
              <th scope="row">
                {file.isRecord && item.id ? (
                  <CompareBox
                    name={`${titleOf(file.entry, item)}, ${item.id}`}
                    isChosen={chosen.includes(item.id)}
                    onChoose={() => onChoose(String(item.id))}
                  />
                ) : null}
                {item.id ? (
                  <PageLink to={recordTarget(file.entry, item.id)}>
                    {titleOf(file.entry, item)}
                  </PageLink>
                ) : (
                  titleOf(file.entry, item)
                )}{' '}
                <Simulated of={item} market={marketOf(file, item)} isShort />
              </th>
              <UnitsContext value={unitsFor(file, item)}>
                {columns.map((path) => (
                  <td key={path} data-label={headings.get(path)}>
                    <div>
                      <Value
                        name={lastName(path)}
                        value={valueAt(item, path)}
                        schema={schemaAt(file.item, path, file.defs)}
                        defs={file.defs}
                        isCompact
                      />
                    </div>
                  </td>
                ))}
              </UnitsContext>
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolled>
  )
}

function Pages({
  file,
  meta,
  search,
}: {
  file: FamilyFile
  meta: { count: number; hasMore: boolean; nextCursor?: string }
  search: SearchParams
}) {
  const navigate = useNavigate()
  const { cursor, ...first } = search
  const next = meta.nextCursor
  return (
    <footer className={styles.pages}>
      <span>
        {meta.count} {meta.count === 1 ? file.entry.one : file.entry.many} shown
      </span>
      {cursor ? (
        <Button isSmall onClick={() => void navigate({ to: '.', search: first as never })}>
          First page
        </Button>
      ) : null}
      {meta.hasMore && next ? (
        <Button
          isSmall
          icon="arrow-right"
          onClick={() => void navigate({ to: '.', search: { ...search, cursor: next } as never })}
        >
          Next page
        </Button>
      ) : null}
    </footer>
  )
}
