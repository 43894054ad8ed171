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
    title: 'What the token says of itself',
    findings: [
      finding('TOKEN', 'Symbol, decimals and supply as the contract answers.', [
        figureOf(0, '/token/symbol', symbol, 'TEXT'),
        figureOf(0, '/token/decimals', decimals, 'COUNT'),
        figureOf(0, '/token/totalSupply', totalSupply, 'ATOMS'),
      ]),
      listings.length === 0
        ? finding('UNLISTED', 'The catalogue that is shipped does not name it.')
        : finding('LISTED', 'The catalogue names it; that is no opinion on it.', [
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
          finding('RUNS_OTHER_CODE', 'It runs the code of another contract.', [
            figureOf(0, '/control/proxy', proxy, 'TEXT'),
            figureOf(0, '/control/admin', admin, 'TEXT'),
          ]),
        ]
  const owned =
    ownerKind.value === 'NONE'
      ? finding('NO_OWNER', 'It names no owner, or the zero address.')
      : finding('OWNER', 'It names an owner, who may do what its code lets an owner do.', [
          figureOf(0, '/control/owner', owner, 'TEXT'),
          figureOf(0, '/control/ownerKind', ownerKind, 'TEXT'),
        ])
  const hints: Finding[] = [
    ...(mint.value === 'SELECTOR'
      ? [
          finding('KNOWS_MINT', 'Its code knows a mint; who may call it is not told.', [
            figureOf(0, '/control/mint', mint, 'TEXT'),
          ]),
        ]
      : []),
    ...(pause.value === 'SELECTOR'
      ? [
          finding('KNOWS_PAUSE', 'Its code knows pause; who may call it is not told.', [
            figureOf(0, '/control/pause', pause, 'TEXT'),
          ]),
        ]
      : []),
  ]
  const isOwnerKnown = ownerKind.value !== null
  return {
    id: 'control',
    title: 'Who may change it',
    findings: [...upgradeable, ...(isOwnerKnown ? [owned] : []), ...hints],
  }
}

function pools({ pools: found }: Analysis): Section {
  const findings =
    found.length === 0
      ? [finding('NO_POOL', 'The observation has no pool of it.')]
      : found.map((pool, index) =>
          finding(
            pool.codeKnown ? 'POOL' : 'POOL_OF_UNKNOWN_CODE',
            `${pool.kind} ${pool.address} against ${pool.quote.symbol ?? pool.quote.assetKey}: what it can pay out, and the price at the margin.`,
            [
              figureOf(0, `/pools/${index}/reserveBase`, pool.reserveBase, 'ATOMS'),
              figureOf(0, `/pools/${index}/reserveQuote`, pool.reserveQuote, 'ATOMS'),
              figureOf(0, `/pools/${index}/midX36`, pool.midX36, 'X36'),
            ],
          ),
        )
  return { id: 'pools', title: 'Where it trades, as far as was looked', findings }
}

const maxGaps = 64

function completeness({ gaps }: Analysis): Section {
  return {
    id: 'completeness',
    title: 'What is missing',
    findings:
      gaps.length === 0
        ? [finding('COMPLETE', 'Nothing that was asked for is missing.')]
        : gaps
            .slice(0, maxGaps)
            .map(({ code, pointer, detail }) =>
              finding(code, `${pointer}: ${detail}`.slice(0, 400)),
            ),
  }
}
