import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { useMembership, useSymbols, venuesQuery } from '../api/queries.ts'
import { labelOf } from '../fields/meaning.ts'
import { shortAddress } from '../fields/numbers.ts'
import { symbolOf } from '../fields/symbols.ts'
import { chainName } from '../fields/value.tsx'
import styles from './form.module.css'
import type { Json, JsonObject } from './value.ts'

const other = 'other'
const members = ['chainId', 'base', 'quote', 'baseDecimals', 'quoteDecimals'] as const

/** True for a schema of a pair of tokens. */
export const isPairSchema = (properties: object | undefined): boolean =>
  properties !== undefined && members.every((name) => name in properties)

const keyOf = (pair: JsonObject) =>
  [pair.chainId, pair.base, pair.quote].map((one) => String(one).toLowerCase()).join('|')

/** The pair of a watched market. Another pair is entered by its members. */
export function PairField({
  name,
  value,
  isRequired,
  onChange,
  children,
}: {
  name: string
  value: Json | undefined
  isRequired: boolean
  onChange: (value: Json | undefined) => void
  /** Inputs for the members. */
  children: ReactNode
}) {
  const id = useId()
  const { organizationId } = useMembership()
  const { data: venues = [] } = useQuery(venuesQuery(organizationId))
  const symbols = useSymbols()
  const [isOther, setOther] = useState(false)
  const pairs = new Map(
    venues.map(({ payload: { pair } }) => {
      const plain = Object.fromEntries(members.map((member) => [member, pair[member]]))
      return [keyOf(plain), plain] as const
    }),
  )
  const given = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null
  const key = given ? keyOf(given) : ''
  const isFilled = given !== null && typeof given.base === 'string' && given.base !== ''
  const isTyped = isOther || (isFilled && !pairs.has(key))
  if (pairs.size === 0) return children
  const labelFor = ({ chainId, base, quote }: JsonObject) => {
    const [first, second] = [base, quote].map(
      (address) =>
        symbolOf(symbols, String(address), String(chainId)) ?? shortAddress(String(address)),
    )
    return `${first}/${second} on ${chainName(String(chainId))}`
  }
  return (
    <>
      <div className={styles.field}>
        <label htmlFor={id}>
          {labelOf(name)} {isRequired ? null : <small>optional</small>}
        </label>
        <select
          id={id}
          value={isTyped ? other : pairs.has(key) ? key : ''}
          onChange={({ target }) => {
            setOther(target.value === other)
            const chosen = pairs.get(target.value)
            if (chosen) onChange(chosen)
            else if (target.value === '' && !isRequired) onChange(undefined)
          }}
        >
          <option value="">{isRequired ? 'Choose' : 'Not set'}</option>
          {[...pairs].map(([pairKey, pair]) => (
            <option key={pairKey} value={pairKey}>
              {labelFor(pair)}
            </option>
          ))}
          <option value={other}>Another pair</option>
        </select>
      </div>
      {isTyped ? children : null}
    </>
  )
}
