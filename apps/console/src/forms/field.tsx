import { useContext, useId, useState } from 'react'
import { resolve } from '../declared/schema.ts'
import type { Schema } from '../declared/types.ts'
import { labelOf, meaningOf, wordOf } from '../fields/meaning.ts'
import { Button } from '../ui/button.tsx'
import { AssetField } from './asset-field.tsx'
import styles from './form.module.css'
import { type FieldProps, FormContext } from './form-context.ts'
import { helpText } from './help-text.ts'
import { JsonField } from './json-field.tsx'
import { isPairSchema, PairField } from './pair-field.tsx'
import { PlainField } from './plain-field.tsx'
import { RecordField } from './record-field.tsx'
import { blankOf, formOf, type Json, nameOfForm, withMember } from './value.ts'

/** Input for one member of a body, chosen by its schema and name. */
export function Field(props: FieldProps) {
  const { defs } = useContext(FormContext)
  const { schema, name: published, isNullable } = resolve(props.schema, defs)
  const meaning = meaningOf(props.name, schema, published)
  if (schema.const !== undefined && props.isRequired) return null
  if (schema.properties?.resourceVersion && schema.properties.id)
    return <RecordField {...props} schema={schema} />
  if (schema.anyOf && schema.anyOf.length > 1)
    return <ChoiceField {...props} forms={schema.anyOf} />
  // Every mutation wraps its input in `payload`, so its members form the top level.
  if (props.path === 'payload' && schema.properties && props.value) {
    return (
      <div className={styles.group} data-plain>
        <Members path="payload" schema={schema} value={props.value} onChange={props.onChange} />
      </div>
    )
  }
  if (schema.properties) {
    const object = <ObjectField {...props} schema={schema} isNullable={isNullable} />
    return isPairSchema(schema.properties) && !isNullable ? (
      <PairField {...props}>{object}</PairField>
    ) : (
      object
    )
  }
  if (schema.type === 'array') return <ListField {...props} schema={schema} />
  if (
    schema.type === 'object' ||
    (schema.type === undefined && !schema.enum && schema.const === undefined)
  )
    return <JsonField {...props} schema={schema} />
  if (published === 'AssetKey')
    return <AssetField {...props} schema={schema} isNullable={isNullable} />
  return <PlainField {...props} schema={schema} meaning={meaning} isNullable={isNullable} />
}

function Help({ text }: { text: string | undefined }) {
  const shown = helpText(text)
  return shown === '' ? null : <p className={styles.help}>{shown}</p>
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
        <Help text={schema.description} />
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
          Remove {labelOf(name).toLowerCase()}
        </Button>
      ) : null}
    </fieldset>
  )
}

/** The members of an object: required members first, the rest collapsed. */
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
          <summary>
            {rest.length} optional {rest.length === 1 ? 'field' : 'fields'}
          </summary>
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
        <Help text={schema.description ?? item.description} />
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
      <Help text={schema.description} />
      {items.map((one, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: entries of a list have no other name
        <div key={index} className={styles.entry}>
          <Field
            name=""
            path={`${path}.${index}`}
            schema={schema.items}
            value={one}
            isRequired
            onChange={(next) => set(index, next)}
          />
          <Button
            isSmall
            look="quiet"
            icon="x"
            aria-label={`Remove entry ${index + 1} of ${labelOf(name).toLowerCase()}`}
            onClick={() => onChange(items.filter((_, at) => at !== index))}
          >
            Remove
          </Button>
        </div>
      ))}
      <Button
        isSmall
        icon="plus"
        disabledReason={
          schema.maxItems !== undefined && items.length >= schema.maxItems
            ? `Maximum ${schema.maxItems} entries.`
            : null
        }
        onClick={() => onChange([...items, blankOf(schema.items, defs) ?? ''])}
      >
        Add to {labelOf(name).toLowerCase()}
      </Button>
    </fieldset>
  )
}

/** Name of an alternative: `Treasury bucket` for the schema `TreasuryBucketInput`. */
const choiceName = (name: string) =>
  /^[A-Z][a-z]/.test(name)
    ? labelOf(name.replace(/(?<=[a-z])(Input|Request|Payload)$/, ''))
    : wordOf(name)

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
          {isRequired ? null : <option value="">Not set</option>}
          {forms.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the forms of a schema keep their order
            <option key={index} value={index}>
              {choiceName(nameOfForm(one, index, defs))}
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
