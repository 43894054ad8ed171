import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMembership, useSymbols, venuesQuery } from '../api/queries.ts'
import type { Schema } from '../declared/types.ts'
import { shortAddress } from '../fields/numbers.ts'
import { symbolOf } from '../fields/symbols.ts'
import { chainName } from '../fields/value.tsx'
import styles from './form.module.css'
import type { FieldProps } from './form-context.ts'
import { Frame } from './frame.tsx'

const money = ['USD', 'EUR', 'GBP', 'CHF'].map((code) => ({ key: `iso4217:${code}`, label: code }))
const other = 'other'

/** Tokens of the venues of the organization by symbol, the coins of their chains, and money. */
function useAssetChoices() {
  const { organizationId } = useMembership()
  const { data: venues = [] } = useQuery(venuesQuery(organizationId))
  const symbols = useSymbols()
  const pairs = venues.map(({ payload }) => payload.pair)
  const tokens = pairs.flatMap(({ chainId, base, quote }) =>
    [base, quote].map((address) => {
      const symbol = symbolOf(symbols, address, chainId) ?? shortAddress(address)
      const key = `eip155:${chainId}/erc20:${address.toLowerCase()}`
      return { key, label: `${symbol} on ${chainName(String(chainId))}` }
    }),
  )
  const coins = pairs.map(({ chainId }) => ({
    key: `eip155:${chainId}/slip44:60`,
    label: `Native coin of ${chainName(String(chainId))}`,
  }))
  const all = [...tokens, ...coins, ...money]
  return [...new Map(all.map((choice) => [choice.key, choice])).values()]
}

/** An asset by its symbol. Another asset is entered by its key. */
export function AssetField({
  name,
  path,
  schema,
  value,
  isRequired,
  isNullable,
  onChange,
}: FieldProps & { schema: Schema; isNullable: boolean }) {
  const choices = useAssetChoices()
  const [isOther, setOther] = useState(false)
  const nothing = isNullable ? null : undefined
  const key = typeof value === 'string' ? value : ''
  const isKnown = choices.some((choice) => choice.key === key)
  const isTyped = isOther || (key !== '' && !isKnown)
  const frame = { name, path, schema, isRequired: isRequired && !isNullable }
  return (
    <Frame {...frame}>
      {(ids) => (
        <span className={styles.withUnit}>
          <select
            {...ids}
            value={isTyped ? other : key}
            onChange={({ target }) => {
              setOther(target.value === other)
              onChange(target.value === other || target.value === '' ? nothing : target.value)
            }}
          >
            <option value="">{isRequired ? 'Choose' : 'Not set'}</option>
            {choices.map((choice) => (
              <option key={choice.key} value={choice.key}>
                {choice.label}
              </option>
            ))}
            <option value={other}>Another asset</option>
          </select>
          {isTyped ? (
            <input
              aria-label={`Key of the asset, ${name}`}
              value={key}
              autoComplete="off"
              spellCheck={false}
              placeholder={String(schema.examples?.[0] ?? '')}
              onChange={({ target }) => onChange(target.value.trim() || nothing)}
            />
          ) : null}
        </span>
      )}
    </Frame>
  )
}
