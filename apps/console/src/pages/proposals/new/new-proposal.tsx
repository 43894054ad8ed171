import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useMembership } from '../../../api/queries.ts'
import { read } from '../../../api/send.ts'
import { type NamedVault, useNamedVaults } from '../../../api/vaults.ts'
import type { Assets } from '../../../fields/units.tsx'
import { Choice } from '../../../forms/fields.tsx'
import formStyles from '../../../forms/form.module.css'
import { Icon } from '../../../ui/icons.tsx'
import { Fault, Notice } from '../../../ui/notice.tsx'
import { PageLink, toList, toRecord } from '../../../ui/page-link.tsx'
import { Empty, Panel, Skeleton } from '../../../ui/parts.tsx'
import ui from '../../../ui/ui.module.css'
import { pairTokens } from '../../makers/mandates.ts'
import styles from '../../pages.module.css'
import { useChainAssets } from '../addresses.tsx'
import { LiquidityAction } from './liquidity-action.tsx'
import { Preview } from './preview.tsx'
import {
  type EncodedKind,
  type Kind,
  kinds,
  type OwnerChange,
  readTerms,
  type SafeState,
  type Terms,
  titleOf,
} from './proposal-terms.ts'
import { ReviewTerms } from './review-terms.tsx'
import { mergeReads, type SafeBalances, sliceTokens } from './safe-balances.ts'
import { TermFields } from './term-fields.tsx'
import { useRecipient } from './use-recipient.ts'

/** Prepares a proposal: the action of the Safe in fields with units, and its reviewers. */
export function NewProposal() {
  const { vaults, error } = useNamedVaults()
  return (
    <>
      <p className={styles.trail}>
        <PageLink to={toList('proposals')}>Proposals</PageLink>
      </p>
      <header className={styles.head}>
        <div>
          <h1>New proposal</h1>
          <p>
            Prepares a Safe transaction for review. The owners sign it in their wallets. To move
            liquidity between pools, start with a{' '}
            <PageLink to={toList('migration-plans')}>migration plan</PageLink>.
          </p>
        </div>
      </header>
      {error ? (
        <Fault error={error} />
      ) : vaults === undefined ? (
        <Skeleton lines={8} />
      ) : vaults[0] === undefined ? (
        <Empty title="No Safe">
          <p>A proposal needs a Safe that holds liquidity. Add the Safe to the treasury first.</p>
          <PageLink
            to={toList('treasury-entries', { form: 'createTreasuryEntries' })}
            className={ui.button}
          >
            <Icon name="plus" />
            Add a Safe
          </PageLink>
        </Empty>
      ) : (
        <ChosenVault vaults={vaults} first={vaults[0]} />
      )}
    </>
  )
}

/** Tokens that the service lists at most. */
const maxTokens = 100

/** Tokens of the organization on the chain of a vault, and the current state of the Safe. */
function ChosenVault({ vaults, first }: { vaults: readonly NamedVault[]; first: NamedVault }) {
  const { organizationId } = useMembership()
  const [vaultId, setVaultId] = useState(first.vault.id)
  const chosen = vaults.find(({ vault }) => vault.id === vaultId) ?? first
  const { chainId } = chosen.vault.payload
  const tokens = useQuery({
    queryKey: [organizationId, 'assets', chainId],
    queryFn: () =>
      read<contract.KnownAsset[]>(organizationId, '/assets', { chainId, limit: maxTokens }),
    staleTime: 60_000,
  })
  const addresses = (tokens.data ?? []).flatMap(
    ({ assetKey }) => /\/erc20:(0x[0-9a-fA-F]{40})$/.exec(assetKey)?.[1] ?? [],
  )
  const safe = useQuery({
    queryKey: [organizationId, 'vault-safe', vaultId, addresses.join(',')],
    queryFn: async () => {
      const reads: contract.VaultSafe[] = []
      for (const slice of sliceTokens(addresses))
        reads.push(
          await read<contract.VaultSafe>(organizationId, `/vaults/${vaultId}/safe`, {
            ...(slice.length === 0 ? {} : { assets: slice.join(',') }),
          }),
        )
      return mergeReads(reads)
    },
    enabled: tokens.data !== undefined,
    staleTime: 15_000,
  })
  const error = tokens.error ?? safe.error
  const retry = () => {
    void tokens.refetch()
    if (tokens.data) void safe.refetch()
  }
  const options = Object.fromEntries(
    vaults.map(({ vault, name }) => {
      const { base, quote } = pairTokens(vault.payload.pair, tokens.data ?? [])
      return [vault.id, `${name} · ${base.symbol}/${quote.symbol}`]
    }),
  )
  const select = <Choice label="Safe" value={vaultId} options={options} onChange={setVaultId} />
  return error || !safe.data ? (
    <Panel title="Action">
      <div className={formStyles.form}>
        {select}
        {error ? <Fault error={error} onRetry={retry} /> : <Skeleton lines={6} />}
      </div>
    </Panel>
  ) : (
    <Preparing
      key={vaultId}
      chosen={chosen}
      safe={safe.data}
      isShortened={(tokens.data ?? []).length === maxTokens}
      select={select}
    />
  )
}

const firstTerms: Omit<Terms, 'kind'> = {
  asset: 'native',
  amount: '',
  address: '',
  change: 'ADD',
  owner: '',
  threshold: '',
  data: '',
}

/** The threshold to propose for a change of the owners. */
const firstThreshold = (
  change: OwnerChange,
  { owners, threshold }: Pick<contract.VaultSafe, 'owners' | 'threshold'>,
): number => (change === 'REMOVE' ? Math.max(Math.min(threshold, owners.length - 1), 1) : threshold)

interface Prepared {
  readonly chosen: NamedVault
  readonly safe: SafeBalances
  /** True if the list of tokens can be incomplete. */
  readonly isShortened: boolean
  readonly select: React.ReactNode
}

/** The fields of the chosen kind of action. */
function Preparing({ chosen: { vault }, safe, isShortened, select }: Prepared) {
  const { chainId, safeAddress, pair } = vault.payload
  const [kind, setKind] = useState<Kind>('TRANSFER')
  const knownAsset = useChainAssets(chainId, [pair.base, pair.quote])
  const tokens = Object.values(pairTokens(pair, []))
  // The vault states the decimals of its tokens, also of a token without a known symbol.
  const assetOf: Assets = (key) =>
    knownAsset(key) ??
    tokens.find(({ address }) => address.toLowerCase() === key.toLowerCase()) ??
    null
  const common = {
    vaultId: vault.id,
    state: { chainId, safe: safeAddress, owners: safe.owners, threshold: safe.threshold },
    assetOf,
    isUnqualified: vault.status !== 'ACTIVE' && kind !== 'OWNER_CHANGE',
    select: (
      <>
        {select}
        <Choice label="Action" value={kind} options={kinds} onChange={setKind} />
      </>
    ),
  }
  return (
    <div className={styles.stack}>
      {common.isUnqualified ? (
        <Notice tone="warn" title="This vault does not qualify">
          <p>
            Until its checks pass, propose owner changes only.{' '}
            <PageLink to={toRecord('vaults', vault.id)}>Open the vault</PageLink>
          </p>
        </Notice>
      ) : null}
      {kind === 'LIQUIDITY' ? (
        <LiquidityAction
          {...common}
          balances={
            new Map(safe.balances.map(({ asset, amount }) => [asset.toLowerCase(), BigInt(amount)]))
          }
        />
      ) : (
        <EncodedAction key={kind} {...common} kind={kind} safe={safe} isShortened={isShortened} />
      )}
    </div>
  )
}

/** An action whose call the page encodes itself. */
function EncodedAction({
  vaultId,
  state: common,
  kind,
  assetOf,
  safe,
  isShortened,
  isUnqualified,
  select,
}: {
  vaultId: string
  state: Pick<SafeState, 'chainId' | 'safe' | 'owners' | 'threshold'>
  kind: EncodedKind
  assetOf: Assets
  safe: SafeBalances
  isShortened: boolean
  isUnqualified: boolean
  select: React.ReactNode
}) {
  const held = safe.balances.toSorted((a, b) => Number(a.amount === '0') - Number(b.amount === '0'))
  const firstToken = held.find(({ asset }) => asset !== 'native')?.asset ?? 'native'
  const [typed, setTerms] = useState<Omit<Terms, 'kind'>>({
    ...firstTerms,
    asset: firstToken,
    threshold: `${safe.threshold}`,
  })
  const terms: Terms = { ...typed, kind, asset: kind === 'CUSTOM' ? 'native' : typed.asset }
  const balance = safe.balances.find((one) => one.asset === terms.asset)
  const state: SafeState = {
    ...common,
    asset: assetOf(terms.asset),
    balance: balance === undefined ? null : BigInt(balance.amount),
  }
  const recipient = useRecipient(terms.address, state.chainId)
  const result = readTerms(terms, state)
  const change = (more: Partial<Terms>) => {
    const threshold =
      more.change === undefined ? {} : { threshold: `${firstThreshold(more.change, safe)}` }
    setTerms((before) => ({ ...before, ...threshold, ...more }))
  }
  return (
    <>
      <Panel title="Action">
        <div className={formStyles.form}>
          <div className={formStyles.members}>
            {select}
            <TermFields
              terms={terms}
              state={state}
              faults={result.faults ?? {}}
              held={held}
              assetOf={assetOf}
              block={balance?.block ?? safe.block.number}
              onChange={change}
            />
          </div>
          {isShortened ? (
            <p className={styles.quiet}>
              The list has {maxTokens} tokens at most. For another token, choose “{kinds.CUSTOM}”.
            </p>
          ) : null}
        </div>
      </Panel>
      <Preview packets={result.packets} state={state} assetOf={assetOf} />
      <ReviewTerms
        kind={kind}
        state={state}
        vaultId={vaultId}
        result={result.faults === null ? result : null}
        composedTitle={titleOf(terms, state.asset, recipient)}
        isUnqualified={isUnqualified}
      />
    </>
  )
}
