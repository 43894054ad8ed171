import { useContext, useState } from 'react'
import type { Schema } from '../declared/types.ts'
import { wordOf } from '../fields/meaning.ts'
import { AmountFault, atomsOf, exactDecimal } from '../fields/numbers.ts'
import { useUnits } from '../fields/units.tsx'
import styles from './form.module.css'
import { type FieldProps, FormContext } from './form-context.ts'
import { Frame } from './frame.tsx'
import type { Json } from './value.ts'

/** One value: selected, checked, or typed in display units. */
export function PlainField({
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
            <option value="">{isRequired ? 'Choose' : 'Not set'}</option>
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
      <span className="mono">{value} smallest units. </span>
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

/** Decimals of a share in %: one pip is 0.0001 %. */
const shareDecimals = 4

function readTyped(text: string, meaning: string, schema: Schema, decimals: number | null): Json {
  if (meaning === 'share' && schema.type === 'integer') return Number(atomsOf(text, shareDecimals))
  if (decimals !== null) return atomsOf(text, decimals).toString()
  if (schema.type === 'integer' || schema.type === 'number') {
    const number = Number(text.replaceAll(',', ''))
    if (!Number.isFinite(number) || (schema.type === 'integer' && !Number.isInteger(number))) {
      throw new AmountFault(schema.type === 'integer' ? 'Enter a whole number.' : 'Enter a number.')
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
  if (meaning === 'base' || meaning === 'quote' || meaning === 'atoms') return 'smallest units'
  return meaning === 'time' ? 'UTC' : null
}
