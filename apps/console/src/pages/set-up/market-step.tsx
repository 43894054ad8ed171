import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { usePlace } from '../../api/queries.ts'
import { read } from '../../api/send.ts'
import { refusalOf } from '../../declared/refusals.ts'
import { wordOf } from '../../fields/meaning.ts'
import { percentOf, shortDecimal } from '../../fields/numbers.ts'
import { ChangeButton } from '../../ui/button.tsx'
import { Fault, Notice } from '../../ui/notice.tsx'
import { Panel, Skeleton } from '../../ui/parts.tsx'
import styles from '../pages.module.css'

import { Line } from './line.tsx'
import { type Detection, type Market, reason } from './said.ts'

const said: Readonly<Record<string, string>> = {
  NO_STATE_BEFORE_HEAD:
    'The provider does not remember when the market began: it is watched from today on. An archive node would give its past.',
  POOLS_NOT_SEARCHED:
    'The provider answers no query over all blocks, so pools were not searched. Paste the address of a pool instead.',
  MORE_MARKETS: 'There are more markets; these hold most of the token.',
}

/** Which market is watched. */
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
  const { organizationId, role } = usePlace()
  const found = useQuery({
    queryKey: [organizationId, 'market-detections', chainId, address],
    queryFn: () => read<Detection>(organizationId, '/market-detections', { chainId, address }),
    enabled: /^0x[0-9a-fA-F]{40}$/.test(address),
    retry: false,
    staleTime: 60_000,
  })
  const isAddress = address === '' || /^0x[0-9a-fA-F]{40}$/.test(address)
  return (
    <Panel title="2. What is watched">
      <Line
        label="Token or pool"
        help={
          isAddress
            ? 'The address of a pool, or of a token whose pools are then found.'
            : 'An address is 0x and forty digits from 0 to 9 and a to f.'
        }
        value={address}
        placeholder="0x"
        action={found.isFetching ? 'Looking' : 'Find'}
        refusal={
          refusalOf(role, 'prepare') ?? (found.isFetching ? 'The chain is being read.' : null)
        }
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
  NOTHING: 'There is no contract at this address on this chain.',
  CONTRACT: 'This is a contract, and neither a token nor a market that can be watched.',
  MARKET: 'This market cannot be watched yet.',
  TOKEN: 'No market of this token was found in the factories that are known here.',
}

function Found({
  found,
  onWatched,
}: {
  found: Detection
  onWatched: (venueId: string, jobId: string) => void
}) {
  const { organizationId, role } = usePlace()
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
          {found.token.symbol ?? 'A token without a plain symbol'}, {found.token.decimals} decimals;
          read at #{found.block.number.toLocaleString('en-US')}.
        </p>
      ) : null}
      {found.markets.length === 0 ? <Notice tone="hold" title={nothingFound[found.is]} /> : null}
      {found.limitations.map((one) => (
        <Notice key={one} tone="warn" title={said[one] ?? wordOf(one)} />
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
              <Link to={`/o/${organizationId}/venues/${one.venueId}` as never}>
                Watched already
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
      {market ? (
        <p>
          <ChangeButton
            look="primary"
            icon="scan-eye"
            refusal={
              refusalOf(role, 'operate') ?? (isSending ? 'Its checks are being made.' : null)
            }
            onClick={watch}
          >
            {isSending ? 'Checking' : 'Watch'}
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
