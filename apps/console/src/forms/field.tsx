import { useQuery } from '@tanstack/react-query'
import { createContext, type ReactNode, useContext, useId, useState } from 'react'
import { familyQuery, pageQuery, usePlace } from '../api/queries.ts'
import { families, familyOfType } from '../declared/families.ts'
import type { Definitions } from '../declared/schema.ts'
import { resolve } from '../declared/schema.ts'
import type { FamilyEntry, Schema } from '../declared/types.ts'
import { labelOf, meaningOf, wordOf } from '../fields/meaning.ts'
import { AmountFault, atomsOf, exactDecimal } from '../fields/numbers.ts'
import { useTitle } from '../fields/title.ts'
import { useUnits } from '../fields/units.tsx'
import { Button } from '../ui/button.tsx'
import styles from './form.module.css'
import { blankOf, formOf, type Json, nameOfForm, withMember } from './value.ts'

export interface FormGround {
  defs: Definitions
  /** What the service said of fields, by the path of the body: `payload.pair.base`. */
  faults: Readonly<Record<string, readonly string[]>>
  /** Tells of what was typed and cannot be sent, by path; null where it can. */
  onTyped: (path: string, fault: string | null) => void
}
export const FormContext = createContext<FormGround>({ defs: {}, faults: {}, onTyped: () => {} })

export interface FieldProps {
  name: string
  path: string
  schema: Schema | undefined
  value: Json | undefined
  isRequired: boolean
  onChange: (value: Json | undefined) => void
}

/** What is typed for one member of a body: by its schema and by what its name says it is. */
export function Field(props: FieldProps) {
  const { defs } = useContext(FormContext)
  const { schema, name: published, isNullable } = resolve(props.schema, defs)
  const meaning = meaningOf(props.name, schema, published)
  if (schema.const !== undefined && props.isRequired) return null
  if (schema.properties?.resourceVersion && schema.properties.id)
    return <RecordField {...props} schema={schema} />
  if (schema.anyOf && schema.anyOf.length > 1)
    return <ChoiceField {...props} forms={schema.anyOf} />
  // What every mutation calls its payload is the form itself.
  if (props.path === 'payload' && schema.properties && props.value) {
    return (
      <div className={styles.group} data-plain>
        <Members path="payload" schema={schema} value={props.value} onChange={props.onChange} />
      </div>
    )
  }
  if (schema.properties) return <ObjectField {...props} schema={schema} isNullable={isNullable} />
  if (schema.type === 'array') return <ListField {...props} schema={schema} />
  if (
    schema.type === 'object' ||
    (schema.type === undefined && !schema.enum && schema.const === undefined)
  )
    return <JsonField {...props} schema={schema} />
  return <PlainField {...props} schema={schema} meaning={meaning} isNullable={isNullable} />
}

/** A label, its help, the field, and what is wrong with it. */
function Frame({
  name,
  path,
  schema,
  isRequired,
  note,
  fault,
  children,
}: {
  name: string
  path: string
  schema: Schema
  isRequired: boolean
  note?: ReactNode
  fault?: string | null
  children: (ids: { id: string; 'aria-describedby': string; 'aria-invalid': boolean }) => ReactNode
}) {
  const id = useId()
  const { faults } = useContext(FormContext)
  const told = [...(fault ? [fault] : []), ...(faults[path] ?? [])]
  return (
    <div className={styles.field} data-fault={told.length > 0 || undefined}>
      <label htmlFor={id}>
        {labelOf(name) || 'Entry'} {isRequired ? null : <small>optional</small>}
      </label>
      {children({ id, 'aria-describedby': `${id}-help`, 'aria-invalid': told.length > 0 })}
      <p id={`${id}-help`} className={styles.help}>
        {told.map((one) => (
          <strong key={one}>{one} </strong>
        ))}
        {note} {schema.description}
      </p>
    </div>
  )
}

function PlainField({
  name,
  path,
  schema,
  meaning,
  value,
  isRequired,
  isNullable,
  onChange,
}: FieldProps & { schema: Schema; meaning: string; isNullable: boolean }) {
  const units = useUnits()
  const { onTyped } = useContext(FormContext)
  const asset = meaning === 'base' ? units.base : meaning === 'quote' ? units.quote : null
  const [typed, setTyped] = useState<string | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  const nothing = isNullable ? null : undefined
  const take = (text: string) => {
    setTyped(text)
    let problem: string | null = null
    let read: Json | undefined = nothing
    try {
      read =
        text.trim() === '' ? nothing : readTyped(text, meaning, schema, asset?.decimals ?? null)
    } catch (error) {
      if (!(error instanceof AmountFault)) throw error
      problem = error.message
    }
    setFault(problem)
    onTyped(path, problem)
    if (problem === null) onChange(read)
  }
  const frame = { name, path, schema, isRequired: isRequired && !isNullable, fault }
  const choices = schema.enum ?? (schema.const !== undefined ? [schema.const] : null)
  if (choices) {
    return (
      <Frame {...frame}>
        {(ids) => (
          <select
            {...ids}
            value={value === undefined || value === null ? '' : String(value)}
            onChange={(event) =>
              onChange(
                (choices.find((one) => String(one) === event.target.value) as Json | undefined) ??
                  nothing,
              )
            }
          >
            <option value="">{isRequired ? 'choose' : 'not given'}</option>
            {choices.map((one) => (
              <option key={String(one)} value={String(one)}>
                {wordOf(String(one))}
              </option>
            ))}
          </select>
        )}
      </Frame>
    )
  }
  if (schema.type === 'boolean') {
    return (
      <Frame {...frame}>
        {(ids) => (
          <input
            {...ids}
            type="checkbox"
            checked={value === true}
            onChange={(event) => onChange(event.target.checked)}
          />
        )}
      </Frame>
    )
  }
  const shown = typed ?? printTyped(value, meaning, asset?.decimals ?? null)
  const unit = unitOf(meaning, asset?.symbol ?? null)
  const example = schema.examples?.[0]
  const note =
    asset && typeof value === 'string' && fault === null ? (
      <span className="mono">{value} atomic units. </span>
    ) : null
  return (
    <Frame {...frame} note={note}>
      {(ids) => (
        <span className={styles.withUnit}>
          {schema.maxLength && schema.maxLength > 200 ? (
            <textarea
              {...ids}
              rows={2}
              value={shown}
              onChange={(event) => take(event.target.value)}
            />
          ) : (
            <input
              {...ids}
              value={shown}
              autoComplete="off"
              spellCheck={false}
              placeholder={
                example === undefined
                  ? ''
                  : `e.g. ${printTyped(example as Json, meaning, asset?.decimals ?? null)}`
              }
              onChange={(event) => take(event.target.value)}
            />
          )}
          {unit ? <span>{unit}</span> : null}
        </span>
      )}
    </Frame>
  )
}

/** Decimals of a share in per cent: a millionth is 0.0001 %. */
const shareDecimals = 4

function readTyped(text: string, meaning: string, schema: Schema, decimals: number | null): Json {
  if (meaning === 'share' && schema.type === 'integer') return Number(atomsOf(text, shareDecimals))
  if (decimals !== null) return atomsOf(text, decimals).toString()
  if (schema.type === 'integer' || schema.type === 'number') {
    const number = Number(text.replaceAll(',', ''))
    if (!Number.isFinite(number) || (schema.type === 'integer' && !Number.isInteger(number))) {
      throw new AmountFault(schema.type === 'integer' ? 'Write a whole number.' : 'Write a number.')
    }
    return number
  }
  return meaning === 'text' ? text : text.trim()
}

function printTyped(value: Json | undefined, meaning: string, decimals: number | null): string {
  if (value === undefined || value === null) return ''
  const isInteger = /^-?\d+$/.test(String(value))
  if (meaning === 'share' && typeof value === 'number')
    return exactDecimal(BigInt(value), shareDecimals)
  if (decimals !== null && isInteger) return exactDecimal(BigInt(String(value)), decimals)
  return String(value)
}

function unitOf(meaning: string, symbol: string | null): string | null {
  if (meaning === 'share') return '%'
  if (meaning === 'duration') return 'seconds'
  if (symbol !== null) return symbol
  if (meaning === 'base' || meaning === 'quote' || meaning === 'atoms') return 'atomic units'
  return meaning === 'time' ? 'UTC' : null
}

function ObjectField({
  name,
  path,
  schema,
  value,
  isRequired,
  isNullable,
  onChange,
}: FieldProps & { schema: Schema; isNullable: boolean }) {
  const { defs } = useContext(FormContext)
  const isThere = value !== undefined && value !== null
  if (!isThere && (!isRequired || isNullable)) {
    const { name: published } = resolve(schema, defs)
    return (
      <div className={styles.add}>
        <Button isSmall icon="plus" onClick={() => onChange(blankOf({ ...schema }, defs))}>
          {labelOf(name) || published || 'Add'}
        </Button>
        {schema.description ? <p className={styles.help}>{schema.description}</p> : null}
      </div>
    )
  }
  return (
    <fieldset className={styles.group}>
      {name ? <legend>{labelOf(name)}</legend> : null}
      <Members path={path} schema={schema} value={value} onChange={onChange} />
      {!isRequired || isNullable ? (
        <Button
          isSmall
          look="quiet"
          icon="x"
          onClick={() => onChange(isNullable ? null : undefined)}
        >
          Take {labelOf(name).toLowerCase()} away
        </Button>
      ) : null}
    </fieldset>
  )
}

/** The members of an object: what is required first, the rest behind one line. */
export function Members({
  path,
  schema,
  value,
  onChange,
  hidden = [],
}: {
  path: string
  schema: Schema
  value: Json | undefined
  onChange: (value: Json) => void
  hidden?: readonly string[]
}) {
  const { faults } = useContext(FormContext)
  const required = schema.required ?? []
  const names = Object.keys(schema.properties ?? {}).filter((name) => !hidden.includes(name))
  const members = (typeof value === 'object' && value !== null ? value : {}) as Record<string, Json>
  const at = (name: string) => (path === '' ? name : `${path}.${name}`)
  const first = names.filter((name) => required.includes(name) || name in members)
  const rest = names.filter((name) => !first.includes(name))
  const isFaulty = rest.some((name) => Object.keys(faults).some((one) => one.startsWith(at(name))))
  const fieldOf = (name: string) => (
    <Field
      key={name}
      name={name}
      path={at(name)}
      schema={schema.properties?.[name]}
      value={members[name]}
      isRequired={required.includes(name)}
      onChange={(member) => onChange(withMember(value, name, member))}
    />
  )
  return (
    <div className={styles.members}>
      {first.map(fieldOf)}
      {rest.length > 0 && first.length > 0 ? (
        <details className={styles.more} open={isFaulty || undefined}>
          <summary>{rest.length} more, optional</summary>
          <div className={styles.members}>{rest.map(fieldOf)}</div>
        </details>
      ) : (
        rest.map(fieldOf)
      )}
    </div>
  )
}

function ListField({
  name,
  path,
  schema,
  value,
  isRequired,
  onChange,
}: FieldProps & { schema: Schema }) {
  const { defs } = useContext(FormContext)
  const { schema: item } = resolve(schema.items, defs)
  const items = Array.isArray(value) ? value : []
  if (item.enum) {
    return (
      <fieldset className={styles.group}>
        <legend>{labelOf(name)}</legend>
        <p className={styles.help}>{schema.description ?? item.description}</p>
        <div className={styles.checks}>
          {item.enum.map((one) => (
            <label key={String(one)}>
              <input
                type="checkbox"
                checked={items.includes(one as Json)}
                onChange={(event) => {
                  const next = event.target.checked
                    ? [...items, one as Json]
                    : items.filter((each) => each !== one)
                  onChange(next.length === 0 && !isRequired ? undefined : next)
                }}
              />
              {/^[A-Z_]+$/.test(String(one)) ? wordOf(String(one)) : String(one)}
            </label>
          ))}
        </div>
      </fieldset>
    )
  }
  const set = (place: number, one: Json | undefined) =>
    onChange(items.map((each, at) => (at === place ? (one ?? '') : each)))
  return (
    <fieldset className={styles.group}>
      <legend>{labelOf(name)}</legend>
      {schema.description ? <p className={styles.help}>{schema.description}</p> : null}
      {items.map((one, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries of a list have no other name
        <div key={place} className={styles.entry}>
          <Field
            name=""
            path={`${path}.${place}`}
            schema={schema.items}
            value={one}
            isRequired
            onChange={(next) => set(place, next)}
          />
          <Button
            isSmall
            look="quiet"
            icon="x"
            aria-label={`Remove entry ${place + 1} of ${labelOf(name).toLowerCase()}`}
            onClick={() => onChange(items.filter((_, at) => at !== place))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button
        isSmall
        icon="plus"
        refusal={
          schema.maxItems !== undefined && items.length >= schema.maxItems
            ? `At most ${schema.maxItems}.`
            : null
        }
        onClick={() => onChange([...items, blankOf(schema.items, defs) ?? ''])}
      >
        Add to {labelOf(name).toLowerCase()}
      </Button>
    </fieldset>
  )
}

function ChoiceField({
  name,
  path,
  value,
  isRequired,
  onChange,
  forms,
}: FieldProps & { forms: readonly Schema[] }) {
  const { defs } = useContext(FormContext)
  const id = useId()
  const at = formOf(value, forms, defs)
  const [chosen, setChosen] = useState(at)
  const form = forms[value === undefined ? chosen : at] ?? forms[0]
  return (
    <fieldset className={styles.group}>
      <legend>{labelOf(name)}</legend>
      <div className={styles.field}>
        <label htmlFor={id}>Kind {isRequired ? null : <small>optional</small>}</label>
        <select
          id={id}
          value={value === undefined && !isRequired ? '' : chosen}
          onChange={(event) => {
            if (event.target.value === '') return onChange(undefined)
            const next = Number(event.target.value)
            setChosen(next)
            onChange(blankOf(forms[next], defs))
          }}
        >
          {isRequired ? null : <option value="">not given</option>}
          {forms.map((one, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the forms of a schema keep their order
            <option key={place} value={place}>
              {wordOf(nameOfForm(one, place, defs))}
            </option>
          ))}
        </select>
      </div>
      {value === undefined && !isRequired ? null : (
        <Field name="" path={path} schema={form} value={value} isRequired onChange={onChange} />
      )}
    </fieldset>
  )
}

/** What has no schema of its own is written as JSON. */
function JsonField({
  name,
  path,
  schema,
  value,
  isRequired,
  onChange,
}: FieldProps & { schema: Schema }) {
  const { onTyped } = useContext(FormContext)
  const [typed, setTyped] = useState(value === undefined ? '' : JSON.stringify(value, null, 2))
  const [fault, setFault] = useState<string | null>(null)
  const take = (text: string) => {
    setTyped(text)
    let problem: string | null = null
    try {
      onChange(text.trim() === '' ? undefined : (JSON.parse(text) as Json))
    } catch {
      problem = 'This is not JSON yet.'
    }
    setFault(problem)
    onTyped(path, problem)
  }
  return (
    <Frame {...{ name, path, schema, isRequired, fault }} note="As JSON.">
      {(ids) => (
        <textarea
          {...ids}
          className="mono"
          rows={4}
          value={typed}
          spellCheck={false}
          onChange={(event) => take(event.target.value)}
        />
      )}
    </Frame>
  )
}

/** Kinds of records that a member may mean, by its name: `venue`, `observations`, `study`. */
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
function RecordField({
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
  const { organizationId } = usePlace()
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
          <label htmlFor={kindId}>Kind of record</label>
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
        {...{ name, path, schema, isRequired }}
        note={
          bound.resourceVersion ? (
            <span className="mono">Version {bound.resourceVersion.slice(0, 14)}… is bound. </span>
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
              {page.isPending ? 'loading' : items.length === 0 ? 'there is none yet' : 'choose'}
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
