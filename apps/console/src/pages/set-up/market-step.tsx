import { parsePastedMarket } from '@liquidity-os/contract/market-page'
import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useChange } from '../../api/changes.ts'
import { useMembership } from '../../api/queries.ts'
import { ApiFailure, read } from '../../api/send.ts'
import { permissionReason } from '../../declared/disabled-reasons.ts'
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
  onFailed,
}: {
  chainId: number
  address: string
  onAddress: (address: string) => void
  onWatched: (venueIds: readonly string[]) => void
  /** Called if a selected market could not be added or indexed. */
  onFailed?: () => void
}) {
  const { organizationId, role } = useMembership()
  const plain = parsePastedMarket(address, chainId)
  const found = useQuery({
    queryKey: [organizationId, 'market-detections', chainId, plain],
    queryFn: () =>
      read<Detection>(organizationId, '/market-detections', { chainId, address: plain ?? address }),
    enabled: plain !== null,
    retry: false,
    staleTime: 60_000,
  })
  // A refetch keeps the selection.
  const isSearching = found.isFetching && !found.data
  const isAddress = address === '' || plain !== null
  return (
    <>
      <Line
        label="Token or pool"
        help={
          isAddress
            ? 'Address of a pool, or of a token to find its pools. You can also paste its page at DEX Screener, GeckoTerminal, Uniswap or a block explorer.'
            : 'Not an address of this chain. Enter 0x and 40 hexadecimal digits, or a page of a token or pool on this chain.'
        }
        value={address}
        placeholder="0x… or https://…"
        action={isSearching ? 'Searching…' : 'Find'}
        disabledReason={
          permissionReason(role, 'prepare') ?? (isSearching ? 'Waiting for the node.' : null)
        }
        needsCorrection={found.data?.markets.length === 0}
        onSend={onAddress}
      />
      {found.error ? (
        <Fault error={found.error} onRetry={() => void found.refetch()} />
      ) : isSearching ? (
        <Skeleton lines={3} />
      ) : null}
      {found.data ? (
        <Found
          key={found.data.address}
          found={found.data}
          onWatched={onWatched}
          onFailed={onFailed}
        />
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

/** Progress of one selected market. A retry continues after the last successful request. */
interface Outcome {
  readonly venueId?: string
  readonly isQueued?: boolean
  readonly error?: unknown
}

const isIndexRunning = (error: unknown) =>
  error instanceof ApiFailure && error.code === 'LIQUIDITY_VENUE_INDEX_RUNNING'

const outcomeText = ({ venueId, isQueued }: Outcome): string =>
  isQueued
    ? 'Added. Indexing started.'
    : venueId
      ? 'Added, but its index did not start.'
      : 'Not added.'

function Found({
  found,
  onWatched,
  onFailed,
}: {
  found: Detection
  onWatched: (venueIds: readonly string[]) => void
  onFailed: (() => void) | undefined
}) {
  const { role } = useMembership()
  const { change, post, fault, isSending } = useChange()
  const group = useId()
  const [outcomes, setOutcomes] = useState<Readonly<Record<string, Outcome>>>({})
  const isOpen = ({ profile, venueId, address }: Market) => {
    const outcome = outcomes[address]
    return profile !== null && (outcome ? !outcome.isQueued : venueId === null)
  }
  const open = found.markets.filter(isOpen)
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
  const watchOne = async ({ address, profile, venueId }: Market): Promise<Outcome> => {
    let id = outcomes[address]?.venueId ?? venueId ?? undefined
    try {
      if (id === undefined) {
        const body = { payload: profile, status: 'VALIDATED', reason }
        id = (await post<{ id: string }>({ path: '/venues', body })).id
      }
      const body = { payload: { mode: 'FULL' }, reason }
      await post({ path: `/venues/${id}/index-jobs`, body })
    } catch (error) {
      const isQueued = id !== undefined && isIndexRunning(error)
      return { ...(id === undefined ? {} : { venueId: id }), isQueued, error }
    }
    return { venueId: id, isQueued: true }
  }
  const watch = () =>
    void change(async () => {
      const next: Record<string, Outcome> = { ...outcomes }
      for (const market of selected) next[market.address] = await watchOne(market)
      setOutcomes(next)
      const failed = selected.map(({ address }) => next[address]).find((one) => !one?.isQueued)
      if (failed) {
        onFailed?.()
        throw failed.error
      }
      onWatched(Object.values(next).flatMap(({ venueId }) => venueId ?? []))
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
              disabled={!isOpen(one)}
              onChange={() => toggle(one.address)}
            />
            <label htmlFor={`${group}-${one.address}`}>
              <MarketLine market={one} />
            </label>
            {outcomes[one.address] ? (
              <small role="status">{outcomeText(outcomes[one.address] ?? {})}</small>
            ) : one.venueId ? (
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
            disabledReason={
              permissionReason(role, 'operate') ??
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
