import { type ReactNode, useContext, useMemo } from 'react'
import { useAssets } from '../api/queries.ts'
import type { Definitions } from '../declared/schema.ts'
import { memberOf, resolve } from '../declared/schema.ts'
import type { Schema } from '../declared/types.ts'
import { figureName, labelOf, unitWithin } from './meaning.ts'
import { MeasuresContext, measured, measuresOf, useMeasured } from './measures.ts'
import styles from './tree.module.css'
import { UnitsContext, unitsWithin, useUnits } from './units.tsx'
import { Value } from './value.tsx'

interface Props {
  value: unknown
  schema: Schema | undefined
  defs: Definitions
  depth?: number
  unit?: string
  /** True if all values are shares, according to the name of the parent. */
  isShare?: boolean
}

/** True if a value fits in one line, as a figure, a name or a word. */
function isPlain(value: unknown, schema: Schema | undefined, defs: Definitions): boolean {
  if (typeof value !== 'object' || value === null) return true
  if (Array.isArray(value))
    return (
      value.length === 0 || (value.length <= 4 && value.every((one) => typeof one !== 'object'))
    )
  const { name } = resolve(schema, defs)
  const members = value as Record<string, unknown>
  if (name === 'Pair' || name === 'Ref' || name === 'SourceRef' || name === 'Block') return true
  if ('number' in members && 'hash' in members) return true
  return false
}

/** A payload as fields with their units; lists of similar objects as tables. */
export function Tree({ value, schema, defs, depth = 0, unit = '', isShare = false }: Props) {
  if (typeof value !== 'object' || value === null) {
    return <Value name="" value={value} schema={schema} defs={defs} />
  }
  return (
    <Measured value={value} isRoot={depth === 0}>
      <Counted value={value}>
        <Branches
          value={value}
          schema={schema}
          defs={defs}
          depth={depth}
          unit={unit}
          isShare={isShare}
        />
      </Counted>
    </Measured>
  )
}

/** Provides the metric definitions of a whole record to all values in it. */
function Measured({
  value,
  isRoot,
  children,
}: {
  value: object
  isRoot: boolean
  children: ReactNode
}) {
  const around = useContext(MeasuresContext)
  const measures = useMemo(() => (isRoot ? measuresOf(value) : around), [isRoot, value, around])
  return <MeasuresContext value={measures}>{children}</MeasuresContext>
}

/** Shows the values of an object in its own units. */
function Counted({ value, children }: { value: unknown; children: ReactNode }) {
  const around = useUnits()
  const assetOf = useAssets()
  const measured = useMeasured(value)
  const isObject = typeof measured === 'object' && measured !== null
  return (
    <UnitsContext value={isObject ? unitsWithin(measured, around, assetOf) : around}>
      {children}
    </UnitsContext>
  )
}

function Branches({
  value,
  schema,
  defs,
  depth,
  unit,
  isShare,
}: Required<Props> & { value: object }) {
  const entries = Object.entries(value).filter(([key]) => key !== 'schemaVersion')
  const inside = (key: string) => memberOf(schema, key, defs)
  const within = unitWithin(useMeasured<object>(value), unit)
  const nameIn = (key: string) => (isShare ? `${key}Pips` : figureName(key, within))
  const plain = entries.filter(([key, one]) => isPlain(one, inside(key), defs))
  const deep = entries.filter(([key, one]) => !isPlain(one, inside(key), defs))
  return (
    <div className={styles.tree}>
      {plain.length > 0 ? (
        <dl className={styles.fields}>
          {plain.map(([key, one]) => (
            <div key={key}>
              <dt title={resolve(inside(key), defs).schema.description}>{labelOf(key)}</dt>
              <dd>
                <Value name={nameIn(key)} value={one} schema={inside(key)} defs={defs} />
              </dd>
            </div>
          ))}
        </dl>
      ) : null}
      {deep.map(([key, one]) => (
        <details key={key} open={depth === 0 && sizeOf(one) <= 12} className={styles.section}>
          <summary>
            {labelOf(key)}
            {isShareOf(key, one) ? ' (shares)' : ''}{' '}
            <small>{Array.isArray(one) ? one.length : ''}</small>
          </summary>
          {Array.isArray(one) ? (
            <List
              items={one}
              schema={resolve(inside(key), defs).schema.items}
              defs={defs}
              depth={depth + 1}
              unit={within}
            />
          ) : (
            <Tree
              value={one}
              schema={inside(key)}
              defs={defs}
              depth={depth + 1}
              unit={within}
              isShare={isShareOf(key, one)}
            />
          )}
        </details>
      ))}
    </div>
  )
}

const isShareOf = (key: string, value: unknown) => /Pips$/.test(key) && !Array.isArray(value)

const sizeOf = (value: unknown) =>
  typeof value === 'object' && value !== null ? Object.keys(value).length : 0

/** Rows shown at once; the rest is in the raw record. */
const rowsShown = 100

function List({
  items,
  schema,
  defs,
  depth,
  unit,
}: {
  items: readonly unknown[]
  schema: Schema | undefined
  defs: Definitions
  depth: number
  unit: string
}) {
  const measures = useContext(MeasuresContext)
  const shown = items.slice(0, rowsShown)
  const columns = [
    ...new Set(
      shown.flatMap((one) => (typeof one === 'object' && one !== null ? Object.keys(one) : [])),
    ),
  ]
  const isFlat = shown.every(
    (one) =>
      typeof one === 'object' &&
      one !== null &&
      Object.entries(one).every(([key, each]) => isPlain(each, memberOf(schema, key, defs), defs)),
  )
  if (columns.length === 0) {
    return (
      <ul className={styles.words}>
        {shown.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of a sealed list never changes
          <li key={index}>
            <Value name="" value={one} schema={schema} defs={defs} />
          </li>
        ))}
      </ul>
    )
  }
  if (!isFlat || columns.length > 9) {
    return (
      <ol className={styles.items}>
        {shown.map((one, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the order of a sealed list never changes
          <li key={index}>
            <Tree value={one} schema={schema} defs={defs} depth={depth} unit={unit} />
          </li>
        ))}
      </ol>
    )
  }
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
    <div className={styles.scroll} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((key) => (
              <th key={key} scope="col">
                {labelOf(key)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the order of a sealed list never changes
            <tr key={index}>
              <Counted value={one}>
                {columns.map((key) => (
                  <td key={key}>
                    <Value
                      name={figureName(key, unitWithin(measured(one as object, measures), unit))}
                      value={(one as Record<string, unknown>)[key]}
                      schema={memberOf(schema, key, defs)}
                      defs={defs}
                    />
                  </td>
                ))}
              </Counted>
            </tr>
          ))}
        </tbody>
      </table>
      {items.length > rowsShown ? (
        <p>{items.length - rowsShown} more rows in the raw record.</p>
      ) : null}
    </div>
  )
}
