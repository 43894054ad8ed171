import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useMembership } from '../../api/queries.ts'
import { read } from '../../api/send.ts'
import { refusalOf } from '../../declared/refusals.ts'
import { wordOf } from '../../fields/meaning.ts'
import { percentOf, shortDecimal } from '../../fields/numbers.ts'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault, Notice } from '../../ui/notice.tsx'
import { PageLink, toRecord } from '../../ui/page-link.tsx'
import { Skeleton } from '../../ui/parts.tsx'
import styles from '../pages.module.css'

import { Line } from './line.tsx'
import { type Detection, type Market, reason } from './responses.ts'

const caption: Readonly<Record<string, string>> = {
  NO_STATE_BEFORE_HEAD: 'This node has no archive data. Indexing starts today.',
  POOLS_NOT_SEARCHED: 'The node rejects queries over all blocks. Paste a pool address instead.',
  MORE_MARKETS: 'The list shows only the markets with the largest token balances.',
}

/** Finds the pools of a token, and watches the selected ones. */
export function MarketStep({
  chainId,
  address,
  onAddress,
  onWatched,
}: {
  chainId: number
  address: string
  onAddress: (address: string) => void
  onWatched: (venueIds: readonly string[]) => void
}) {
  const { organizationId, role } = useMembership()
  const found = useQuery({
    queryKey: [organizationId, 'market-detections', chainId, address],
    queryFn: () => read<Detection>(organizationId, '/market-detections', { chainId, address }),
    enabled: /^0x[0-9a-fA-F]{40}$/.test(address),
    retry: false,
    staleTime: 60_000,
  })
  const isAddress = address === '' || /^0x[0-9a-fA-F]{40}$/.test(address)
  return (
    <>
      <Line
        label="Token or pool"
        help={
          isAddress
            ? 'Address of a pool, or of a token to find its pools.'
            : 'Invalid address. Enter 0x and 40 hexadecimal digits.'
        }
        value={address}
        placeholder="0x"
        action={found.isFetching ? 'Searching…' : 'Find'}
        refusal={refusalOf(role, 'prepare') ?? (found.isFetching ? 'Waiting for the node.' : null)}
        onSend={onAddress}
      />
      {found.error ? (
        <Fault error={found.error} onRetry={() => void found.refetch()} />
      ) : found.isFetching ? (
        <Skeleton lines={3} />
      ) : found.data ? (
        <Found key={found.data.address} found={found.data} onWatched={onWatched} />
      ) : null}
    </>
  )
}

const maxSelected = 4

/** Preselection: the markets with at least 1 % of the largest balance of the token. */
function largest(markets: readonly Market[]): readonly Market[] {
  const balanceOf = ({ heldOfBase }: Market) => BigInt(heldOfBase ?? 0)
  const most = markets.reduce(
    (before, market) => (balanceOf(market) > before ? balanceOf(market) : before),
    0n,
  )
  return markets.filter((market) => balanceOf(market) * 100n >= most).slice(0, maxSelected)
}

const nothingFound: Readonly<Record<Detection['is'], string>> = {
  NOTHING: 'No contract exists at this address on this chain.',
  CONTRACT: 'This contract is neither a token nor a supported market.',
  MARKET: 'This market is not supported.',
  TOKEN: 'The known factories have no market for this token. Paste a pool address.',
}

function Found({
  found,
  onWatched,
}: {
  found: Detection
  onWatched: (venueIds: readonly string[]) => void
}) {
  const { role } = useMembership()
  const { change, post, fault, isSending } = useChange()
  const group = useId()
  const open = found.markets.filter(({ profile, venueId }) => profile && !venueId)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    () => new Set(largest(open).map(({ address }) => address)),
  )
  const selected = open.filter(({ address }) => chosen.has(address))
  const toggle = (address: string) =>
    setChosen((before) => {
      const next = new Set(before)
      if (!next.delete(address)) next.add(address)
      return next
    })
  const watch = () =>
    void change(async () => {
      const venueIds: string[] = []
      for (const { profile } of selected) {
        const body = { payload: profile, status: 'VALIDATED', reason }
        const { id } = await post<{ id: string }>({ path: '/venues', body })
        await post({
          path: `/venues/${id}/index-jobs`,
          body: { payload: { mode: 'FULL' }, reason },
        })
        venueIds.push(id)
      }
      onWatched(venueIds)
    })
  return (
    <>
      {found.token ? (
        <p>
          {found.token.symbol ?? 'Token without a plain-text symbol'}, {found.token.decimals}{' '}
          decimals; read at #{found.block.number.toLocaleString('en-US')}.
        </p>
      ) : null}
      {found.markets.length === 0 ? <Notice tone="hold" title={nothingFound[found.is]} /> : null}
      {found.limitations.map((one) => (
        <Notice key={one} tone="warn" title={caption[one] ?? wordOf(one)} />
      ))}
      <ul className={styles.lines}>
        {found.markets.map((one) => (
          <li key={one.address}>
            <input
              type="checkbox"
              id={`${group}-${one.address}`}
              checked={chosen.has(one.address)}
              disabled={one.profile === null || one.venueId !== null}
              onChange={() => toggle(one.address)}
            />
            <label htmlFor={`${group}-${one.address}`}>
              <MarketLine market={one} />
            </label>
            {one.venueId ? (
              <PageLink to={toRecord('venues', one.venueId)}>Already indexed</PageLink>
            ) : null}
          </li>
        ))}
      </ul>
      {open.length > 0 ? (
        <p>
          <ChangeButton
            look="primary"
            icon="scan-eye"
            refusal={
              refusalOf(role, 'operate') ??
              (isSending
                ? 'Checking the markets.'
                : selected.length === 0
                  ? 'Select a market.'
                  : null)
            }
            onClick={watch}
          >
            {isSending
              ? 'Checking…'
              : selected.length > 1
                ? `Watch ${selected.length} markets`
                : 'Watch market'}
          </ChangeButton>
        </p>
      ) : null}
      {fault === null ? null : <Fault error={fault} />}
    </>
  )
}

function MarketLine({
  market: { kind, profile, missing, heldOfBase, tokens, address },
}: {
  market: Market
}) {
  const base = tokens.find((token) => token.address === profile?.pair.base)
  const held =
    heldOfBase !== null && base && base.decimals !== null
      ? `${shortDecimal(BigInt(heldOfBase), base.decimals, 6)} ${base.symbol ?? 'of the token'}`
      : null
  return (
    <>
      <strong>{profile?.name ?? tokens.map(({ symbol }) => symbol ?? '?').join(' / ')}</strong>
      <br />
      <small>
        {[
          wordOf(kind),
          profile ? `fee ${percentOf(profile.feePips)}` : null,
          held ? `holds ${held}` : null,
          profile ? `since #${profile.read.startBlock.toLocaleString('en-US')}` : null,
          ...missing,
        ]
          .filter(Boolean)
          .join(', ')}
        <br />
        {address}
      </small>
    </>
  )
}
