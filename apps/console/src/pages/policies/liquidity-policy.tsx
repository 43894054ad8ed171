import { liquidityPolicyText } from '@liquidity-os/contract/liquidity-policy-text'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useAssets, useMembership, type VenueLine, venuesQuery } from '../../api/queries.ts'
import { type NamedVault, useNamedVaults } from '../../api/vaults.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
import { Choice, DayField, TextField } from '../../forms/fields.tsx'
import formStyles from '../../forms/form.module.css'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault } from '../../ui/notice.tsx'
import { toRecord, useOpenPage } from '../../ui/page-link.tsx'
import { Panel } from '../../ui/parts.tsx'
import styles from '../pages.module.css'
import { isAmount, isPercent, liquidityMarkets } from './liquidity-policy-terms.ts'

const reason = 'Created in the console'
const dayMilliseconds = 86_400_000
const firstDays = 90
const maxDays = 365

const dayIn = (days: number): string =>
  new Date(Date.now() + days * dayMilliseconds).toISOString().slice(0, 10)

/** Drafts a policy for liquidity operations of a vault in one market. */
export function LiquidityPolicy() {
  const { organizationId } = useMembership()
  const { vaults } = useNamedVaults()
  const venues = useQuery(venuesQuery(organizationId))
  const [vaultId, setVaultId] = useState<string | null>(null)
  const chosen = vaults?.find(({ vault }) => vault.id === vaultId) ?? vaults?.[0]
  if (!vaults || !chosen || !venues.data) return null
  const markets = liquidityMarkets(chosen.vault.payload, venues.data)
  return (
    <Panel title="Policy for liquidity">
      <div className={formStyles.form}>
        <p className={formStyles.help}>
          Drafts limits for additions to one market. Withdrawals to the Safe do not count.
        </p>
        <Choice
          label="Vault"
          value={chosen.vault.id}
          options={Object.fromEntries(vaults.map(({ vault, name }) => [vault.id, name]))}
          onChange={setVaultId}
        />
        {markets.length === 0 ? (
          <p>No validated Uniswap market has the tokens of the vault.</p>
        ) : (
          <Limits key={chosen.vault.id} vault={chosen} markets={markets} />
        )}
      </div>
    </Panel>
  )
}

function Limits({ vault, markets }: { vault: NamedVault; markets: readonly VenueLine[] }) {
  const { role } = useMembership()
  const openPage = useOpenPage()
  const assetOf = useAssets()
  const { change, post, fault, isSending } = useChange()
  const [venueId, setVenueId] = useState<string | null>(null)
  const [perAction, setPerAction] = useState('')
  const [perDay, setPerDay] = useState('')
  const [slippagePercent, setSlippage] = useState('1')
  const [lastDay, setLastDay] = useState(() => dayIn(firstDays))
  const venue = markets.find(({ id }) => id === venueId) ?? markets[0]
  const { pair } = vault.vault.payload
  const unit = assetOf(pair.quote)?.symbol ?? 'quote'
  const isComplete = isAmount(perAction) && isAmount(perDay) && isPercent(slippagePercent)
  const disabledReason =
    permissionReason(role, 'prepare') ??
    (isSending
      ? 'Creating the draft…'
      : isComplete && lastDay !== ''
        ? null
        : 'Complete the fields above.')
  const create = () =>
    void change(async () => {
      if (!venue) return
      const text = liquidityPolicyText({
        kind: venue.payload.kind === 'UNISWAP_V2' ? 'UNISWAP_V2' : 'UNISWAP_V3',
        base: pair.base,
        quote: pair.quote,
        market: venue.payload.address,
        perAction,
        perDay,
        slippagePercent,
        lastDay,
      })
      const payload = { vaultId: vault.vault.id, baseline: 'NONE', text }
      const made = await post<{ draft: { id: string } }>({
        path: '/policy-intent-drafts',
        body: { payload, reason },
      })
      await openPage(toRecord('policy-intent-drafts', made.draft.id))
    })
  return (
    <>
      <div className={formStyles.members}>
        <Choice
          label="Market"
          value={venue?.id ?? ''}
          options={Object.fromEntries(markets.map(({ id, payload }) => [id, payload.name]))}
          onChange={setVenueId}
        />
        <TextField
          label="Limit per action"
          value={perAction}
          unit={unit}
          help="Value of both tokens."
          onChange={setPerAction}
        />
        <TextField label="Limit per day" value={perDay} unit={unit} onChange={setPerDay} />
        <TextField
          label="Maximum slippage"
          value={slippagePercent}
          unit="%"
          onChange={setSlippage}
        />
        <DayField
          label="Expires on"
          value={lastDay}
          min={dayIn(1)}
          max={dayIn(maxDays)}
          help="The policy ends at 00:00 UTC."
          onChange={setLastDay}
        />
      </div>
      <div className={styles.actions}>
        <ChangeButton look="primary" icon="scale" disabledReason={disabledReason} onClick={create}>
          Create draft
        </ChangeButton>
      </div>
      {fault === null ? null : <Fault error={fault} />}
    </>
  )
}
