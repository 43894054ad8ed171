import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { familyQuery, pageQuery, useMembership } from '../api/queries.ts'
import { families, familyOfType } from '../declared/families.ts'
import type { FamilyEntry, Schema } from '../declared/types.ts'
import { useTitle } from '../fields/title.ts'
import styles from './form.module.css'
import type { FieldProps } from './form-context.ts'
import { Frame } from './frame.tsx'

/** Record kinds that a member can reference, by its name: `venue`, `observations`, `study`. */
function kindsFor(name: string, path: string, type: unknown): FamilyEntry[] {
  const named = typeof type === 'string' ? familyOfType(type) : null
  if (named) return [named]
  const words = `${path} ${name}`.toLowerCase()
  const meant = families.filter(
    ({ isListed, prefix }) =>
      isListed && prefix && words.includes((prefix.split('_').at(-1) ?? prefix).replace(/y$/, '')),
  )
  return meant.length > 0
    ? meant.slice(-2)
    : families.filter(({ isListed, type: known }) => isListed && known)
}

/** An exact version of a record, chosen by its name; the newest version is bound. */
export function RecordField({
  name,
  path,
  schema,
  value,
  isRequired,
  onChange,
}: FieldProps & { schema: Schema }) {
  const bound = (
    typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
  ) as Record<string, string>
  const kinds = kindsFor(
    name,
    path,
    schema.properties?.resourceType ? bound.resourceType : undefined,
  )
  const [kind, setKind] = useState(kinds[0]?.key ?? 'venues')
  const withType = schema.properties?.resourceType !== undefined
  const { organizationId } = useMembership()
  const titleOf = useTitle()
  const file = useQuery(familyQuery(kind))
  const page = useQuery({
    ...pageQuery(organizationId, file.data ?? ({ entry: { key: kind } } as never), {
      limit: Math.min(file.data?.operations[file.data.list ?? '']?.maximumLimit ?? 100, 100),
    }),
    enabled: file.data !== undefined,
  })
  const items = page.data?.data ?? []
  const kindId = useId()
  return (
    <>
      {kinds.length > 1 ? (
        <div className={styles.field}>
          <label htmlFor={kindId}>Record kind</label>
          <select id={kindId} value={kind} onChange={(event) => setKind(event.target.value)}>
            {kinds.map((one) => (
              <option key={one.key} value={one.key}>
                {one.many}
              </option>
            ))}
          </select>
        </div>
      ) : null}
      <Frame
        name={name}
        path={path}
        schema={schema}
        isRequired={isRequired}
        note={
          bound.resourceVersion ? (
            <span className="mono">Version {bound.resourceVersion.slice(0, 14)}…. </span>
          ) : null
        }
      >
        {(ids) => (
          <select
            {...ids}
            value={bound.id ?? ''}
            onChange={(event) => {
              const item = items.find(({ id }) => id === event.target.value)
              if (!item) return onChange(undefined)
              onChange({
                ...(withType ? { resourceType: String(item.resourceType) } : {}),
                id: String(item.id),
                resourceVersion: String(item.resourceVersion),
              })
            }}
          >
            <option value="">
              {page.isPending ? 'Loading…' : items.length === 0 ? 'None available' : 'Choose'}
            </option>
            {bound.id && !items.some(({ id }) => id === bound.id) ? (
              <option value={bound.id}>{bound.id}</option>
            ) : null}
            {items.map((item) => (
              <option key={String(item.id)} value={String(item.id)}>
                {file.data ? titleOf(file.data.entry, item) : item.id}
              </option>
            ))}
          </select>
        )}
      </Frame>
    </>
  )
}
