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
import { Panel, Skeleton } from '../../ui/parts.tsx'
import styles from '../pages.module.css'

import { Line } from './line.tsx'
import { type Detection, type Market, reason } from './responses.ts'

const caption: Readonly<Record<string, string>> = {
  NO_STATE_BEFORE_HEAD: 'This node has no archive data. Indexing starts today.',
  POOLS_NOT_SEARCHED: 'The node rejects queries over all blocks. Paste a pool address instead.',
  MORE_MARKETS: 'The list shows only the markets with the largest token balances.',
}

/** Monitored market. */
export function MarketStep({
  chainId,
  address,
  onAddress,
  onWatched,
}: {
  chainId: number
  address: string
  onAddress: (address: string) => void
  onWatched: (venueId: string, jobId: string) => void
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
    <Panel title="2. Market">
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
    </Panel>
  )
}

const nothingFound: Readonly<Record<Detection['is'], string>> = {
  NOTHING: 'No contract exists at this address on this chain.',
  CONTRACT: 'This contract is neither a token nor a supported market.',
  MARKET: 'This market is not supported.',
  TOKEN: 'The known factories have no market for this token.',
}

function Found({
  found,
  onWatched,
}: {
  found: Detection
  onWatched: (venueId: string, jobId: string) => void
}) {
  const { role } = useMembership()
  const { change, post, fault, isSending } = useChange()
  const group = useId()
  const open = found.markets.filter(({ profile, venueId }) => profile && !venueId)
  const [chosen, setChosen] = useState(open[0]?.address ?? '')
  const market = open.find(({ address }) => address === chosen)
  const watch = () =>
    void change(async () => {
      const body = { payload: market?.profile, status: 'VALIDATED', reason }
      const venue = await post<{ id: string }>({ path: '/venues', body })
      const job = await post<{ id: string }>({
        path: `/venues/${venue.id}/index-jobs`,
        body: { payload: { mode: 'FULL' }, reason },
      })
      onWatched(venue.id, job.id)
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
              type="radio"
              name={group}
              id={`${group}-${one.address}`}
              checked={one.address === chosen}
              disabled={one.profile === null || one.venueId !== null}
              onChange={() => setChosen(one.address)}
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
      {market ? (
        <p>
          <ChangeButton
            look="primary"
            icon="scan-eye"
            refusal={refusalOf(role, 'operate') ?? (isSending ? 'Checking the market.' : null)}
            onClick={watch}
          >
            {isSending ? 'Checking…' : 'Watch market'}
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
