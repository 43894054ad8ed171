import {
  type Analysis,
  type Conclusion,
  computed,
  type Finding,
  figureOf,
  finding,
  limitations,
  missingIn,
  type Section,
  stateOf,
} from './workflow.ts'

/** Conclusion from one observation of a token: identity, control, pools and gaps. */
export function projectHealth(analysis: Analysis): Conclusion {
  const reasons = missingIn([analysis])
  return {
    state: stateOf(reasons),
    reasons,
    limitations: [...limitations],
    sections: [identity(analysis), control(analysis), pools(analysis), completeness(analysis)],
  }
}

function identity({ token, listings }: Analysis): Section {
  const { symbol, decimals, totalSupply } = token
  return {
    id: 'identity',
    title: 'Token contract data',
    findings: [
      finding('TOKEN', 'Symbol, decimals and supply from the contract.', [
        figureOf(0, '/token/symbol', symbol, 'TEXT'),
        figureOf(0, '/token/decimals', decimals, 'COUNT'),
        figureOf(0, '/token/totalSupply', totalSupply, 'ATOMS'),
      ]),
      listings.length === 0
        ? finding('UNLISTED', 'The shipped catalog does not list the token.')
        : finding('LISTED', 'The catalog lists the token. This is not an endorsement.', [
            computed(listings.length, 'COUNT', 0),
          ]),
    ],
  }
}

function control({ control: facts }: Analysis): Section {
  const { proxy, admin, owner, ownerKind, mint, pause } = facts
  const upgradeable: Finding[] =
    proxy.value === null || proxy.value === 'NONE'
      ? []
      : [
          finding('RUNS_OTHER_CODE', 'The token runs the code of another contract.', [
            figureOf(0, '/control/proxy', proxy, 'TEXT'),
            figureOf(0, '/control/admin', admin, 'TEXT'),
          ]),
        ]
  const owned =
    ownerKind.value === 'NONE'
      ? finding('NO_OWNER', 'The token has no owner, or its owner is the zero address.')
      : finding('OWNER', 'The token has an owner, with the rights that its code gives an owner.', [
          figureOf(0, '/control/owner', owner, 'TEXT'),
          figureOf(0, '/control/ownerKind', ownerKind, 'TEXT'),
        ])
  const hints: Finding[] = [
    ...(mint.value === 'SELECTOR'
      ? [
          finding(
            'KNOWS_MINT',
            'The code has a mint function. Its permitted callers are unknown.',
            [figureOf(0, '/control/mint', mint, 'TEXT')],
          ),
        ]
      : []),
    ...(pause.value === 'SELECTOR'
      ? [
          finding(
            'KNOWS_PAUSE',
            'The code has a pause function. Its permitted callers are unknown.',
            [figureOf(0, '/control/pause', pause, 'TEXT')],
          ),
        ]
      : []),
  ]
  const isOwnerKnown = ownerKind.value !== null
  return {
    id: 'control',
    title: 'Token control',
    findings: [...upgradeable, ...(isOwnerKnown ? [owned] : []), ...hints],
  }
}

function pools({ pools: found }: Analysis): Section {
  const findings =
    found.length === 0
      ? [finding('NO_POOL', 'The observation has no pool of the token.')]
      : found.map((pool, index) =>
          finding(
            pool.codeKnown ? 'POOL' : 'POOL_OF_UNKNOWN_CODE',
            `${pool.kind} ${pool.address} with ${pool.quote.symbol ?? pool.quote.assetKey}: payout capacity and marginal price.`,
            [
              figureOf(0, `/pools/${index}/reserveBase`, pool.reserveBase, 'ATOMS'),
              figureOf(0, `/pools/${index}/reserveQuote`, pool.reserveQuote, 'ATOMS'),
              figureOf(0, `/pools/${index}/midX36`, pool.midX36, 'X36'),
            ],
          ),
        )
  return { id: 'pools', title: 'Known venues', findings }
}

const maxGaps = 64

function completeness({ gaps }: Analysis): Section {
  return {
    id: 'completeness',
    title: 'Missing data',
    findings:
      gaps.length === 0
        ? [finding('COMPLETE', 'All requested data is present.')]
        : gaps
            .slice(0, maxGaps)
            .map(({ code, pointer, detail }) =>
              finding(code, `${pointer}: ${detail}`.slice(0, 400)),
            ),
  }
}
