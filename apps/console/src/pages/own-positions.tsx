import type { contract } from '@liquidity-os/contract'
import { parsePastedAddress } from '@liquidity-os/contract/pasted-address'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { useChange } from '../api/changes.ts'
import { positionsQuery, type VenuePositions } from '../api/liquidity.ts'
import { useMembership, venuesQuery } from '../api/queries.ts'
import { ApiFailure, read } from '../api/send.ts'
import { permissionReason } from '../declared/disabled-reasons.ts'
import { Exact, Missing } from '../fields/exact.tsx'
import { priceDecimals, shareOfDeposits, shortFigure } from '../fields/figures.ts'
import { percentOf } from '../fields/numbers.ts'
import { AddressText } from '../fields/value.tsx'
import formStyles from '../forms/form.module.css'
import { ChangeButton } from '../ui/button.tsx'
import { Fault } from '../ui/notice.tsx'
import { Fold, Panel, Skeleton, Time } from '../ui/parts.tsx'
import { positionStates, resultReason, stateReason } from './liquidity-reasons.ts'
import type { MarketTokens } from './market-figures.tsx'
import { Row, Table } from './table.tsx'

type Position = VenuePositions['positions'][number]

/** Positions that the venue profile names, with a form that adds one. */
export function OwnPositions({ venueId, tokens }: { venueId: string; tokens: MarketTokens }) {
  const { organizationId } = useMembership()
  const positions = useQuery(positionsQuery(organizationId, venueId))
  const { data } = positions
  const venues = useQuery(venuesQuery(organizationId))
  const kind = venues.data?.find(({ id }) => id === venueId)?.payload.kind
  const isFormShown = kind === 'UNISWAP_V3'
  const queries = useQueryClient()
  const observationId = data?.observation?.id
  const shownObservation = useRef(observationId)
  // A new observation also changes the liquidity chart and the list of providers.
  useEffect(() => {
    const before = shownObservation.current
    shownObservation.current = observationId
    if (before === undefined || before === observationId) return
    void queries.invalidateQueries({ queryKey: [organizationId, 'venue-liquidity', venueId] })
  }, [queries, organizationId, venueId, observationId])
  return (
    <Panel title="Your positions">
      {positions.error ? (
        <Fault error={positions.error} onRetry={() => void positions.refetch()} />
      ) : !data ? (
        <Skeleton lines={3} />
      ) : data.positions.length === 0 ? (
        <p>
          No positions yet.
          {isFormShown ? ' Add one to see its range, amounts and uncollected fees.' : null}
        </p>
      ) : (
        <PositionTable data={data} tokens={tokens} />
      )}
      {isFormShown ? (
        <Fold title="Add a position">
          <AddPosition venueId={venueId} />
        </Fold>
      ) : null}
    </Panel>
  )
}

const columns = [
  'Position',
  'State',
  'Range',
  'Amounts',
  'Value',
  'Uncollected fees',
  'Fees',
  'Impermanent loss',
  'vs HODL',
  'Since',
  'Depth share',
]

function PositionTable({ data, tokens }: { data: VenuePositions; tokens: MarketTokens }) {
  const value = (atoms: string) => (
    <Exact atoms={atoms} decimals={tokens.quote.decimals} unit={tokens.quote.symbol} />
  )
  return (
    <Table
      label="Your positions"
      columns={columns}
      isFigures
      foot={
        data.total && data.positions.length > 1 ? (
          <tr>
            <th scope="row" colSpan={4}>
              Total
            </th>
            <td data-label="Value">{value(data.total.amounts.valueQuote)}</td>
            <td data-label="Uncollected fees">{value(data.total.uncollected.valueQuote)}</td>
            <td colSpan={5} />
          </tr>
        ) : null
      }
    >
      {data.positions.map((position, index) => (
        // Two positions of a profile can be equal only in a failed read.
        // biome-ignore lint/suspicious/noArrayIndexKey: the order of the profile is stable
        <PositionRow key={index} position={position} tokens={tokens} value={value} />
      ))}
    </Table>
  )
}

function PositionRow({
  position,
  tokens,
  value,
}: {
  position: Position
  tokens: MarketTokens
  value: (atoms: string) => ReactNode
}) {
  const { amounts, tokenId, netVsHodlPips, depthSharePips, since } = position
  const about = { position, tokens }
  return (
    <Row
      title={tokenId === null ? <AddressText address={position.owner} /> : `#${tokenId}`}
      cells={{
        State: positionStates[position.state],
        Range: rangeOf(position, tokens),
        Amounts: <Tokens of={amounts} {...about} />,
        Value: amounts ? value(amounts.valueQuote) : <Missing reason={reasonOf(position)} />,
        'Uncollected fees': <Tokens of={position.uncollected} {...about} />,
        Fees: <Result of={position.feesQuote} {...about} />,
        'Impermanent loss': <Result of={position.ilQuote} {...about} />,
        'vs HODL': (
          <>
            <Result of={position.netVsHodlQuote} {...about} />
            {netVsHodlPips === null ? null : <small> {shareOfDeposits(netVsHodlPips)}</small>}
          </>
        ),
        Since:
          since === null ? (
            <Missing reason={resultReason(position.reasons)} />
          ) : (
            <Time at={since} />
          ),
        'Depth share':
          depthSharePips === null ? (
            <Missing reason={reasonOf(position)} />
          ) : (
            percentOf(depthSharePips)
          ),
      }}
    />
  )
}

/** A signed amount in the quote token. */
function Result({
  of: atoms,
  position,
  tokens: { quote },
}: {
  of: string | null
  position: Position
  tokens: MarketTokens
}) {
  if (atoms === null) return <Missing reason={resultReason(position.reasons)} />
  return <Exact atoms={atoms} decimals={quote.decimals} unit={quote.symbol} />
}

const reasonOf = ({ reasons }: Position) =>
  stateReason(reasons) ?? 'No depth within 2 % of the price.'

function rangeOf({ lowX36, highX36, reasons }: Position, { base, quote }: MarketTokens) {
  if (lowX36 === null || highX36 === null)
    return <Missing reason={stateReason(reasons) ?? 'Unknown.'} />
  const price = (atoms: string) => shortFigure(BigInt(atoms), priceDecimals(base, quote))
  return `${price(lowX36)} to ${price(highX36)} ${quote.symbol}`
}

function Tokens({
  of: amounts,
  position,
  tokens: { base, quote },
}: {
  of: Position['amounts']
  position: Position
  tokens: MarketTokens
}) {
  if (!amounts) return <Missing reason={reasonOf(position)} />
  return (
    <>
      <Exact atoms={amounts.base} decimals={base.decimals} unit={base.symbol} />
      {' + '}
      <Exact atoms={amounts.quote} decimals={quote.decimals} unit={quote.symbol} />
    </>
  )
}

interface Venue {
  readonly id: string
  readonly resourceVersion: string
  readonly payload: Pick<contract.VenueProfile, 'ownedPositions' | 'pair'>
}

/** Adds a position token to the profile, then indexes the venue. */
function AddPosition({ venueId }: { venueId: string }) {
  const { organizationId, role } = useMembership()
  const { change, send, post, fault, isSending } = useChange()
  const [added, setAdded] = useState<'SAVED' | 'INDEXING' | null>(null)
  const [additions, setAdditions] = useState(0)
  const [needsManager, setNeedsManager] = useState(false)
  const disabledReason =
    permissionReason(role, 'prepare') ?? (isSending ? 'Checking on chain…' : null)
  const add = (position: contract.OwnedPosition) =>
    void change(async () => {
      setAdded(null)
      const path = `/venues/${venueId}`
      const { resourceVersion, payload } = await read<Venue>(organizationId, path)
      const plain = withoutPrefixes(position, payload.pair.chainId)
      const ownedPositions = [...(payload.ownedPositions ?? []), plain]
      const reason = 'Position added in the console'
      await send<Venue>({
        method: 'PATCH',
        path,
        ifMatch: resourceVersion,
        body: { payload: { ownedPositions }, reason },
      }).catch((error: unknown) => {
        if (isManagerMissing(error)) setNeedsManager(true)
        throw error
      })
      // The position is saved, even if the next request fails.
      setAdded('SAVED')
      setAdditions((count) => count + 1)
      try {
        await post({ path: `${path}/index-jobs`, body: { payload: { mode: 'FULL' }, reason } })
        setAdded('INDEXING')
      } catch (error) {
        if (!isIndexRunning(error)) throw error
      }
    })
  return (
    <>
      <PositionForm
        key={additions}
        needsManager={needsManager}
        disabledReason={disabledReason}
        onAdd={add}
      />
      {fault === null ? null : <Fault error={fault} />}
      {added === null ? null : <p role="status">{addedTexts[added]}</p>}
    </>
  )
}

/** Addresses without the prefix of the chain. The service rejects other prefixes. */
function withoutPrefixes(position: contract.OwnedPosition, chainId: number) {
  const plain = (address: string) => parsePastedAddress(address, chainId) ?? address
  const own = { ...position, owner: plain(position.owner) }
  if ('manager' in own && own.manager !== undefined) own.manager = plain(own.manager)
  return own
}

const addedTexts = {
  SAVED: 'Saved. The figures appear after the next index.',
  INDEXING: 'Indexing started. The figures appear when it finishes.',
} as const

const isManagerMissing = (error: unknown) =>
  error instanceof ApiFailure &&
  Object.keys(error.body?.error?.fieldErrors ?? {}).some((path) => path.endsWith('.manager'))

const isIndexRunning = (error: unknown) =>
  error instanceof ApiFailure && error.code === 'LIQUIDITY_VENUE_INDEX_RUNNING'

function PositionForm({
  needsManager,
  disabledReason,
  onAdd,
}: {
  needsManager: boolean
  disabledReason: string | null
  onAdd: (position: contract.OwnedPosition) => void
}) {
  const id = useId()
  const [owner, setOwner] = useState('')
  const [tokenId, setTokenId] = useState('')
  const [manager, setManager] = useState('')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onAdd({
      owner: owner.trim(),
      tokenId: tokenId.trim().replace(/^#/, ''),
      ...(manager.trim() === '' ? {} : { manager: manager.trim() }),
    })
  }
  const fields = [
    { name: 'Position number', value: tokenId, set: setTokenId, pattern: '\\s*#?[0-9]+\\s*' },
    { name: 'Wallet that owns it', value: owner, set: setOwner, pattern: address },
    ...(needsManager
      ? [{ name: 'Position manager', value: manager, set: setManager, pattern: address }]
      : []),
  ]
  return (
    <form onSubmit={submit} className={formStyles.members}>
      {fields.map(({ name, value, set, pattern }) => (
        <div key={name} className={formStyles.field}>
          <label htmlFor={`${id}-${name}`}>{name}</label>
          <input
            id={`${id}-${name}`}
            value={value}
            pattern={pattern}
            required
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => set(target.value)}
          />
        </div>
      ))}
      <ChangeButton type="submit" look="primary" disabledReason={disabledReason} onClick={() => {}}>
        Add position
      </ChangeButton>
    </form>
  )
}

/** Pattern of an address field. */
const address = '\\s*([a-z0-9:\\-]+:)?0x[0-9a-fA-F]{40}\\s*'
