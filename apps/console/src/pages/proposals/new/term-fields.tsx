import { useQuery } from '@tanstack/react-query'
import { addressLabelsQuery } from '../../../api/liquidity.ts'
import { useMembership } from '../../../api/queries.ts'
import { exactDecimal, shortAddress, shortDecimal } from '../../../fields/numbers.ts'
import type { Asset, Assets } from '../../../fields/units.tsx'
import { Choice, TextField } from '../../../forms/fields.tsx'
import { inFours } from '../call-effects.ts'
import {
  type Field,
  ownerChanges,
  readAddress,
  type SafeState,
  type Terms,
} from './proposal-terms.ts'
import type { HeldBalance } from './safe-balances.ts'

interface Props {
  readonly terms: Terms
  readonly state: SafeState
  readonly faults: Readonly<Partial<Record<Field, string>>>
  readonly held: readonly HeldBalance[]
  readonly assetOf: Assets
  readonly block: number
  readonly onChange: (more: Partial<Terms>) => void
}

/** Fields of the chosen kind of action. */
export function TermFields(props: Props) {
  switch (props.terms.kind) {
    case 'TRANSFER':
      return (
        <>
          <AssetField {...props} />
          <AmountField {...props} label="Amount" help={balanceText(props)} />
          <AddressField {...props} label="Recipient" />
        </>
      )
    case 'APPROVE':
      return (
        <>
          <AssetField {...props} />
          <AmountField
            {...props}
            label="Maximum amount"
            help="The contract can spend up to this amount. 0 removes the approval."
          />
          <AddressField {...props} label="Contract that may spend" />
        </>
      )
    case 'OWNER_CHANGE':
      return <OwnerFields {...props} />
    case 'CUSTOM':
      return (
        <>
          <AddressField {...props} label="Contract" />
          <TextField
            label="Call data"
            value={props.terms.data}
            fault={props.faults.data || null}
            help="Paste the call data from the application that prepared it."
            onChange={(data) => props.onChange({ data })}
          />
          <AmountField {...props} label="Coin to send" help="Empty for no coin." />
        </>
      )
  }
}

const balanceText = ({ state: { asset, balance }, block }: Props): string | null =>
  asset === null || balance === null
    ? null
    : `Available: ${exactDecimal(balance, asset.decimals)} ${asset.symbol} at block ${exactDecimal(BigInt(block), 0)}.`

function AssetField({ terms, held, assetOf, onChange }: Props) {
  const options = Object.fromEntries(
    held.flatMap(({ asset: key, amount }) => {
      if (terms.kind === 'APPROVE' && key === 'native') return []
      return [[key, assetText(key, assetOf(key), amount)]]
    }),
  )
  return (
    <Choice
      label="Asset"
      value={terms.asset}
      options={options}
      onChange={(asset) => onChange({ asset, amount: '' })}
    />
  )
}

function assetText(key: string, asset: Asset | null, amount: string): string {
  if (asset === null) return `Token ${shortAddress(key)}, unknown decimals`
  const name = key === 'native' ? `${asset.symbol}, coin of the chain` : asset.symbol
  return `${name} · ${shortDecimal(BigInt(amount), asset.decimals)} available`
}

function AmountField({
  terms,
  state,
  faults,
  label,
  help,
  onChange,
}: Props & { label: string; help: string | null }) {
  return (
    <TextField
      label={label}
      value={terms.amount}
      unit={state.asset?.symbol ?? 'unknown token'}
      fault={faults.amount || null}
      help={help}
      onChange={(amount) => onChange({ amount })}
    />
  )
}

/** A pasted address with its checksum verified and its name, if a record has one. */
function AddressField({
  terms,
  state,
  faults,
  label,
  assetOf,
  onChange,
}: Props & { label: string }) {
  const { organizationId } = useMembership()
  const { address } = readAddress(terms.address, state.chainId)
  const labels = useQuery(
    addressLabelsQuery(organizationId, address === null ? [] : [address.toLowerCase()]),
  )
  const name = address === null ? undefined : labels.data?.get(address.toLowerCase())
  const token = address === null ? null : assetOf(address)
  const help =
    address === null
      ? 'Paste the address.'
      : `${token ? `Contract of the token ${token.symbol}` : (name ?? 'Not in your records')}: ${inFours(address)}`
  return (
    <TextField
      label={label}
      value={terms.address}
      fault={faults.address || null}
      help={help}
      onChange={(text) => onChange({ address: text })}
    />
  )
}

function OwnerFields(props: Props) {
  const { terms, state, faults, onChange } = props
  const { organizationId } = useMembership()
  const owners = state.owners.map((owner) => owner.toLowerCase())
  const labels = useQuery(addressLabelsQuery(organizationId, owners))
  const ownerText = (owner: string) => {
    const name = labels.data?.get(owner.toLowerCase())
    return name === undefined ? inFours(owner) : `${name} · ${shortAddress(owner)}`
  }
  const { change } = terms
  const hasOwner = change === 'REMOVE' || change === 'REPLACE'
  return (
    <>
      <Choice
        label="Change"
        value={change}
        options={ownerChanges}
        onChange={(next) => onChange({ change: next })}
      />
      {hasOwner ? (
        <Choice
          label={change === 'REMOVE' ? 'Owner to remove' : 'Owner to replace'}
          value={terms.owner}
          options={{
            '': 'Choose an owner',
            ...Object.fromEntries(state.owners.map((owner) => [owner, ownerText(owner)])),
          }}
          onChange={(owner) => onChange({ owner })}
        />
      ) : null}
      {change === 'ADD' || change === 'REPLACE' ? (
        <AddressField {...props} label="New owner" />
      ) : null}
      {change === 'REPLACE' ? null : (
        <TextField
          label="Required signatures"
          value={terms.threshold}
          fault={faults.threshold || null}
          help={`Now ${state.threshold} of ${state.owners.length} owners must sign.`}
          onChange={(threshold) => onChange({ threshold })}
        />
      )}
    </>
  )
}
