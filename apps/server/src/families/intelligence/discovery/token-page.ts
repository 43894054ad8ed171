import { simulatedMarketOf } from '@liquidity-os/contract/test-networks'
import { escapeXml } from '@liquidity-os/drawing/markup'
import type { Failure } from '../../../failure.ts'
import { facts, pageOf, plainTable } from '../../../reports/page.ts'
import { simulatedLines } from '../../../reports/simulated.ts'
import { answerWords, controlLines } from '../../../reports/token/control-lines.ts'
import {
  type Analysis,
  amountText,
  minuteOf,
  nameOfPool,
  namesIn,
  type Pool,
  priceText,
} from '../../../reports/token/token-words.ts'
import { required } from '../../../required.ts'

const line = (text: string) => `<p>${escapeXml(text)}</p>`

/**
 * Public page of a token, from chain data. No scripts, no external resources, and the same content
 * as the API response.
 *
 * @param baseUrl the deployment's URL without trailing slash
 */
export function tokenPage(analysis: Analysis, baseUrl: string): string {
  const { display, token, pools, gaps, state } = analysis
  const name = token.name.value ?? 'Unnamed token'
  const symbol = token.symbol.value
  return pageOf(display.title, [
    `<p class="kind">Read from the chain${symbol === null ? '' : ` · ${escapeXml(symbol)}`}</p>`,
    `<h1>${escapeXml(name)}</h1>`,
    `<p class="state ${state}">${state === 'COMPLETED' ? 'Complete' : 'Partial: some data could not be read'}</p>`,
    ...simulatedLines(simulatedMarketOf([Number(chainIn(analysis))])),
    `<p class="headline">${escapeXml(headlineOf(analysis))}</p>`,
    line(display.disclaimer),
    facts(factsOf(analysis)),
    '<h2>Pools</h2>',
    pools.length === 0
      ? line('The queried factories list no pool of the token.')
      : poolTable(analysis),
    ...(pools.length === 0
      ? []
      : [line('The holdings of a pool do not show the result of a trade.')]),
    '<h2>Token control</h2>',
    controlTable(analysis),
    line('A function in the code is only a hint. It does not prove who may call it.'),
    ...(gaps.length === 0 ? [] : ['<h2>Missing data</h2>', gapTable(analysis)]),
    '<h2>Next steps</h2>',
    `<p><a href="${escapeXml(`${baseUrl}/?address=${addressIn(analysis)}`)}">Watch its market</a> in the console of this service, for its members.</p>`,
    ...(display.explorerUrl === null
      ? []
      : [
          `<p><a rel="noreferrer" href="${escapeXml(display.explorerUrl)}">The token at an explorer</a></p>`,
        ]),
    '<h2>API</h2>',
    line('The same data with sources:'),
    `<pre>${escapeXml(commandOf(analysis, baseUrl))}</pre>`,
  ])
}

const [chainPattern, addressPattern] = [/^eip155:(\d+)/, /0x[0-9a-f]{40}$/]
const chainIn = ({ assetKey }: Analysis) =>
  required(chainPattern.exec(assetKey)?.[1], `chain in ${assetKey}`)
const addressIn = ({ assetKey }: Analysis) =>
  required(addressPattern.exec(assetKey)?.[0], `address in ${assetKey}`)

function headlineOf({ pools, token }: Analysis): string {
  const [deepest] = pools
  if (!deepest) return 'No pool found.'
  const own = token.symbol.value ?? 'the token'
  const { value } = deepest.heldQuote
  const { quote } = deepest
  const symbol = namesIn({ token } as Analysis, deepest).quote
  const held =
    value === null ? '' : `; the first holds ${amountText(value, quote.decimals, symbol)}`
  const count = pools.length === 1 ? 'One pool' : `${pools.length} pools`
  return `${count} of ${own} ${pools.length === 1 ? 'was' : 'were'} found${held}.`
}

function factsOf(analysis: Analysis): [string, string][] {
  const { token, blocks, assetKey, analysisHash } = analysis
  const { totalSupply, decimals, symbol } = token
  const [block] = blocks
  const supply =
    totalSupply.value === null
      ? 'could not be read'
      : amountText(totalSupply.value, decimals.value, symbol.value ?? 'tokens')
  return [
    ['Address', addressIn(analysis)],
    ['Chain', chainIn(analysis)],
    ['Supply', supply],
    ...(block
      ? [
          ['Read at', `block ${block.number}, ${minuteOf(block.timestamp)} UTC, finalized`] as [
            string,
            string,
          ],
        ]
      : []),
    ['Asked', totalSupply.source.provider],
    ['Key', assetKey],
    ['Data hash', analysisHash],
  ]
}

function poolTable(analysis: Analysis): string {
  const { base } = namesIn(analysis, analysis.pools[0] as Pool)
  const heads = ['pool', 'against', `${base} held`, 'quote held', 'price']
  const { decimals } = analysis.token
  const rows = analysis.pools.map((pool) => {
    const names = namesIn(analysis, pool)
    const { heldBase, heldQuote, midX36, quote } = pool
    const price = midX36.value === null ? null : priceText(midX36.value, analysis, pool)
    return [
      ...[nameOfPool(pool), names.quote],
      heldBase.value === null ? 'not read' : amountText(heldBase.value, decimals.value, names.base),
      heldQuote.value === null
        ? 'not read'
        : amountText(heldQuote.value, quote.decimals, names.quote),
      price === null ? 'unknown' : `${price} ${names.quote}`,
    ]
  })
  return plainTable('Pools, reference asset first', heads, rows, none)
}

const controlTable = ({ control }: Analysis) =>
  plainTable(
    'Summary of code and storage',
    ['question', 'finding', 'status'],
    controlLines(control).map(({ question, answer, light }) => [
      ...[question, answer, answerWords[light]],
    ]),
    none,
  )

const none = { pair: { baseDecimals: 0, quoteDecimals: 0 } }

const gapTable = ({ gaps }: Analysis) =>
  plainTable(
    'Gaps',
    ['what', 'why'],
    gaps.map(({ pointer, detail }) => [pointer, detail]),
    none,
  )

const commandOf = (analysis: Analysis, baseUrl: string) =>
  `curl -H 'content-type: application/json' -d '{"chainId":${chainIn(analysis)},"address":"${addressIn(analysis)}"}' \\\n  ${baseUrl}/api/liquidity-studio/v2/public/projects/resolve`

/** Error page: the problem and its remedy. */
export function tokenFailurePage({ message, detail }: Failure, remediation: string): string {
  const faults = Object.values(detail.fieldErrors ?? {}).flat()
  return pageOf('Token unavailable', [
    '<h1>Token unavailable</h1>',
    `<p class="headline">${escapeXml(message)}</p>`,
    ...(faults.length === 0
      ? []
      : [`<ul>${faults.map((fault) => `<li>${escapeXml(fault)}</li>`).join('')}</ul>`]),
    line(remediation),
    line('The page address has the form /token/chain ID/token address.'),
  ])
}
