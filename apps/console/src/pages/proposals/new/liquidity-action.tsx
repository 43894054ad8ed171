import type { contract } from '@liquidity-os/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useRested } from '../../../api/answers.ts'
import { positionsQuery, type VenuePositions } from '../../../api/liquidity.ts'
import { useMembership, type VenueLine, venuesQuery } from '../../../api/queries.ts'
import { ApiFailure, read } from '../../../api/send.ts'
import { priceDecimals, shortFigure } from '../../../fields/figures.ts'
import { exactDecimal, percentOf, shortDecimal } from '../../../fields/numbers.ts'
import type { Assets } from '../../../fields/units.tsx'
import { Choice, TextField } from '../../../forms/fields.tsx'
import formStyles from '../../../forms/form.module.css'
import { Fault, Notice } from '../../../ui/notice.tsx'
import { PageLink, toList } from '../../../ui/page-link.tsx'
import { Panel, Skeleton } from '../../../ui/parts.tsx'
import styles from '../../pages.module.css'
import {
  type HeldAmounts,
  type LiquidityFaults,
  type LiquidityTerms,
  type LiquidityTokens,
  readLiquidityCalls,
  readLiquidityTerms,
  shares,
  slippages,
  titleOfLiquidity,
} from './liquidity-terms.ts'
import { Preview } from './preview.tsx'
import type { SafeState } from './proposal-terms.ts'
import { dayIn, ReviewTerms } from './review-terms.tsx'

type Position = VenuePositions['positions'][number]

interface Props {
  readonly vaultId: string
  readonly state: Pick<SafeState, 'chainId' | 'safe' | 'owners' | 'threshold'>
  readonly assetOf: Assets
  /** Balances of the Safe by lower-case address. */
  readonly balances: ReadonlyMap<string, bigint>
  readonly isUnqualified: boolean
  /** Choices of the Safe and of the action. */
  readonly select: React.ReactNode
}

/** A deposit into or a withdrawal from a Uniswap v3 pool of the organization. */
export function LiquidityAction(props: Props) {
  const { organizationId } = useMembership()
  const venues = useQuery(venuesQuery(organizationId))
  const [venueId, setVenueId] = useState<string | null>(null)
  if (venues.error || !venues.data) {
    return (
      <Panel title="Action">
        <div className={formStyles.form}>
          {props.select}
          {venues.error ? (
            <Fault error={venues.error} onRetry={() => void venues.refetch()} />
          ) : (
            <Skeleton lines={6} />
          )}
        </div>
      </Panel>
    )
  }
  const usable = venues.data.filter(
    ({ status, payload: { kind, pair } }) =>
      status === 'VALIDATED' && kind === 'UNISWAP_V3' && pair.chainId === props.state.chainId,
  )
  const venue = usable.find(({ id }) => id === venueId) ?? usable[0]
  if (venue === undefined) {
    return (
      <Panel title="Action">
        <div className={formStyles.form}>
          <div className={formStyles.members}>{props.select}</div>
          <Notice tone="warn" title="No Uniswap v3 pool">
            <p>
              This page prepares deposits and withdrawals in Uniswap v3 pools on the chain of the
              Safe. <PageLink to={toList('venues')}>Watch a pool</PageLink> first.
            </p>
          </Notice>
        </div>
      </Panel>
    )
  }
  const market = (
    <Choice
      label="Pool"
      value={venue.id}
      options={Object.fromEntries(usable.map((one) => [one.id, poolName(one)]))}
      onChange={setVenueId}
    />
  )
  return <InPool key={venue.id} {...props} venue={venue} market={market} />
}

const poolName = ({ payload: { name, feePips } }: VenueLine): string =>
  feePips === null ? name : `${name} · ${percentOf(feePips)}`

const firstTerms = (venueId: string): LiquidityTerms => ({
  change: 'ADD',
  venueId,
  tokenId: '',
  manager: '',
  isFullRange: false,
  low: '',
  high: '',
  base: '',
  quote: '',
  sharePips: '1000000',
  slippagePips: '10000',
})

/** Longer than a proposal can wait. */
const validDays = 30

/** Distance of the proposed prices from the current one: 20 %. */
const proposedRange = { low: 8n, high: 12n, of: 10n } as const

function InPool({
  venue,
  market,
  select,
  ...props
}: Props & { venue: VenueLine; market: React.ReactNode }) {
  const { organizationId } = useMembership()
  const { state, assetOf, balances, vaultId, isUnqualified } = props
  const { pair } = venue.payload
  const tokens: LiquidityTokens = {
    base: assetOf(pair.base) ?? { symbol: 'base', decimals: pair.baseDecimals, address: pair.base },
    quote: assetOf(pair.quote) ?? {
      symbol: 'quote',
      decimals: pair.quoteDecimals,
      address: pair.quote,
    },
  }
  const known = useQuery(positionsQuery(organizationId, venue.id, false))
  const own = (known.data?.positions ?? []).filter(
    ({ owner, tokenId, state: at }) =>
      tokenId !== null && at !== 'CLOSED' && owner.toLowerCase() === state.safe.toLowerCase(),
  )
  const [typed, setTerms] = useState(() => firstTerms(venue.id))
  const [isRangeTyped, setIsRangeTyped] = useState(false)
  const [lastSecond] = useState(() => `${dayIn(validDays)}T23:59:59Z`)
  const terms = isRangeTyped ? typed : { ...typed, ...rangeAround(known.data, tokens) }
  const held: HeldAmounts = {
    base: balances.get(pair.base.toLowerCase()) ?? null,
    quote: balances.get(pair.quote.toLowerCase()) ?? null,
  }
  const input = readLiquidityTerms(terms, tokens, { held, chainId: state.chainId })
  const query = input.faults === null ? { ...input.query, validUntil: lastSecond } : null
  const asked = useRested(query === null ? '' : JSON.stringify(query))
  const calls = useQuery({
    queryKey: [organizationId, 'liquidity-calls', vaultId, asked],
    queryFn: () =>
      read<contract.LiquidityCalls>(
        organizationId,
        `/vaults/${vaultId}/liquidity-calls`,
        JSON.parse(asked) as Record<string, string>,
      ),
    enabled: asked !== '',
    retry: false,
    staleTime: 15_000,
  })
  const answer = query !== null && asked === JSON.stringify(query) ? calls.data : undefined
  const result =
    answer === undefined || query === null ? null : readLiquidityCalls(answer, query, tokens)
  const change = (more: Partial<LiquidityTerms>) => {
    if ('low' in more || 'high' in more) setIsRangeTyped(true)
    setTerms({ ...terms, ...more })
  }
  const faults = { ...(input.faults ?? {}), ...faultsOf(calls.error) }
  return (
    <>
      <Panel title="Action">
        <div className={formStyles.form}>
          <div className={formStyles.members}>
            {select}
            {market}
            <LiquidityFields
              terms={terms}
              tokens={tokens}
              held={held}
              own={own}
              faults={faults}
              onChange={change}
            />
          </div>
        </div>
      </Panel>
      <Preview
        packets={result?.packets ?? null}
        state={state}
        assetOf={assetOf}
        pending={
          query === null || Object.keys(faults).length > 0 ? undefined : calls.error ? (
            <Fault error={calls.error} onRetry={() => void calls.refetch()} />
          ) : (
            <Skeleton lines={4} />
          )
        }
      >
        {answer ? <Figures answer={answer} tokens={tokens} /> : null}
      </Preview>
      <ReviewTerms
        kind="LIQUIDITY"
        state={state}
        vaultId={vaultId}
        result={result}
        composedTitle={titleOfLiquidity(terms, tokens)}
        isUnqualified={isUnqualified}
      />
    </>
  )
}

/** Rounded down to six significant digits. */
const sixDigits = (price: bigint): bigint => {
  const rest = 10n ** BigInt(Math.max(`${price}`.length - 6, 0))
  return price - (price % rest)
}

/** Prices around the current one; empty without a price. */
function rangeAround(
  data: VenuePositions | undefined,
  { base, quote }: LiquidityTokens,
): Pick<LiquidityTerms, 'low' | 'high'> {
  if (!data || data.priceX36 === null) return { low: '', high: '' }
  const price = BigInt(data.priceX36)
  const { low, high, of } = proposedRange
  const text = (factor: bigint) =>
    exactDecimal(sixDigits((price * factor) / of), priceDecimals(base, quote)).replaceAll(',', '')
  return { low: text(low), high: text(high) }
}

/** Sentences of the response by field. */
function faultsOf(error: unknown): LiquidityFaults {
  if (!(error instanceof ApiFailure)) return {}
  return Object.fromEntries(
    Object.entries({
      base: 'base',
      quote: 'quote',
      lowX36: 'low',
      tokenId: 'tokenId',
      manager: 'manager',
    }).flatMap(([name, field]) => {
      const message = error.body.error?.fieldErrors?.[`query.${name}`]?.[0]
      return message === undefined
        ? []
        : [[field, `${/^(is|must) /.test(message) ? 'This field ' : ''}${message}.`]]
    }),
  )
}

interface FieldProps {
  readonly terms: LiquidityTerms
  readonly tokens: LiquidityTokens
  readonly held: HeldAmounts
  readonly own: readonly Position[]
  readonly faults: LiquidityFaults
  readonly onChange: (more: Partial<LiquidityTerms>) => void
}

function LiquidityFields(props: FieldProps) {
  const { terms, own, tokens, faults, onChange } = props
  const isAdded = terms.change === 'ADD'
  const first = isAdded ? 'A new position' : own.length > 0 ? 'Choose a position' : 'No position'
  return (
    <>
      <Choice
        label="Change"
        value={terms.change}
        options={{ ADD: 'Add liquidity', REMOVE: 'Withdraw liquidity' }}
        onChange={(change) => onChange({ change, tokenId: '' })}
      />
      <Choice
        label="Position"
        value={terms.tokenId}
        options={{
          '': first,
          ...Object.fromEntries(own.map((one) => [one.tokenId, positionName(one, tokens)])),
        }}
        help={
          faults.tokenId ||
          (own.length > 0
            ? null
            : 'The page of the market lists positions of the Safe after you add them there.')
        }
        onChange={(tokenId) => onChange({ tokenId })}
      />
      {isAdded ? (
        <DepositFields {...props} />
      ) : (
        <Choice
          label="Share to withdraw"
          value={terms.sharePips}
          options={shares}
          help="The calls also collect all fees of the position."
          onChange={(sharePips) => onChange({ sharePips })}
        />
      )}
      {faults.manager || terms.manager !== '' ? (
        <TextField
          label="Position manager"
          value={terms.manager}
          fault={faults.manager || null}
          help="This chain has no default contract. The service checks its code and its factory."
          onChange={(manager) => onChange({ manager })}
        />
      ) : null}
      <Choice
        label="Tolerated price move"
        value={terms.slippagePips}
        options={slippages}
        help="Narrow ranges tolerate less. “At least” below states the result; beyond it, the transaction reverts."
        onChange={(slippagePips) => onChange({ slippagePips })}
      />
    </>
  )
}

/** From this tick on a range has no practical limit. */
const minFullTick = 887_072

function rangeText(
  range: Pick<contract.LiquidityCalls, 'tickLower' | 'tickUpper' | 'lowX36' | 'highX36'>,
  { base, quote }: LiquidityTokens,
): string {
  const { tickLower, tickUpper, lowX36, highX36 } = range
  if (tickLower <= -minFullTick && tickUpper >= minFullTick) return 'All prices'
  const price = (text: string) => shortFigure(BigInt(text), priceDecimals(base, quote))
  return `${price(lowX36)} to ${price(highX36)} ${quote.symbol} per ${base.symbol}`
}

function positionName({ tokenId, lowX36, highX36 }: Position, { base, quote }: LiquidityTokens) {
  if (lowX36 === null || highX36 === null) return `#${tokenId}`
  const price = (text: string) => shortFigure(BigInt(text), priceDecimals(base, quote))
  return `#${tokenId} · ${price(lowX36)} to ${price(highX36)} ${quote.symbol}`
}

function DepositFields({ terms, tokens, held, faults, onChange }: FieldProps) {
  const { base, quote } = tokens
  const balanceText = (atoms: bigint | null, { decimals, symbol }: typeof base) =>
    atoms === null ? null : `Available: ${exactDecimal(atoms, decimals)} ${symbol}.`
  const unit = `${quote.symbol} per ${base.symbol}`
  return (
    <>
      {terms.tokenId === '' ? (
        <Choice
          label="Range"
          value={terms.isFullRange ? 'FULL' : 'PRICES'}
          options={{ PRICES: 'Between two prices', FULL: 'All prices' }}
          onChange={(range) => onChange({ isFullRange: range === 'FULL' })}
        />
      ) : null}
      {terms.tokenId === '' && !terms.isFullRange ? (
        <>
          <TextField
            label="Lower price"
            value={terms.low}
            unit={unit}
            fault={faults.low || null}
            onChange={(low) => onChange({ low, high: terms.high })}
          />
          <TextField
            label="Upper price"
            value={terms.high}
            unit={unit}
            fault={faults.high || null}
            onChange={(high) => onChange({ high, low: terms.low })}
          />
        </>
      ) : null}
      <TextField
        label={`Largest amount of ${base.symbol}`}
        value={terms.base}
        unit={base.symbol}
        fault={faults.base || null}
        help={balanceText(held.base, base)}
        onChange={(text) => onChange({ base: text })}
      />
      <TextField
        label={`Largest amount of ${quote.symbol}`}
        value={terms.quote}
        unit={quote.symbol}
        fault={faults.quote || null}
        help={balanceText(held.quote, quote)}
        onChange={(text) => onChange({ quote: text })}
      />
    </>
  )
}

/** Amounts of the response: expected at the price of its block, and the least that can move. */
function Figures({
  answer: { change, expected, minimum, owed, block, validUntil, ...range },
  tokens: { base, quote },
}: {
  answer: contract.LiquidityCalls
  tokens: LiquidityTokens
}) {
  const amounts = (pair: { base: string; quote: string }) =>
    `${shortDecimal(BigInt(pair.base), base.decimals)} ${base.symbol} and ${shortDecimal(BigInt(pair.quote), quote.decimals)} ${quote.symbol}`
  const isAdded = change === 'ADD'
  return (
    <dl className={styles.facts}>
      <div className={styles.fact}>
        <dt className={styles.factName}>{isAdded ? 'The pool takes' : 'The pool pays'}</dt>
        <dd>{amounts(expected)}</dd>
      </div>
      {owed === null ? null : (
        <div className={styles.fact}>
          <dt className={styles.factName}>Fees and tokens not collected yet</dt>
          <dd>{amounts(owed)}</dd>
        </div>
      )}
      <div className={styles.fact}>
        <dt className={styles.factName}>At least</dt>
        <dd>{amounts(minimum)}</dd>
      </div>
      <div className={styles.fact}>
        <dt className={styles.factName}>Price range</dt>
        <dd>{rangeText(range, { base, quote })}</dd>
      </div>
      <div className={styles.fact}>
        <dt className={styles.factName}>Valid until</dt>
        <dd>{validUntil.slice(0, 10)} UTC</dd>
      </div>
      <div className={styles.fact}>
        <dt className={styles.factName}>As of</dt>
        <dd>block {exactDecimal(BigInt(block.number), 0)}</dd>
      </div>
    </dl>
  )
}
