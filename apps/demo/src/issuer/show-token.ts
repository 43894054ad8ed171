import { ApiFailure } from '@liquidity-os/client'
import { isFirstStart, type LaunchChain } from '../launch-chain.ts'
import { type Desk, openDesk } from './desk.ts'
import {
  checkPublicly,
  type Issuer,
  publicState,
  publishPassport,
  slug,
  type Verified,
} from './passport.ts'
import { findTokenDay, symbol } from './token-day.ts'

/**
 * Shows the issuer workflow for the demo token: a scored market, a vault under a policy, a
 * reconciled treasury, and a passport for third parties. Runs once; a later start finds the records
 * or resumes.
 *
 * @param say called with progress and results, line by line
 */
export async function showToken(
  issuer: Issuer,
  launch: LaunchChain,
  say: (line: string) => void,
): Promise<void> {
  const { client, url } = issuer
  say(`Synthetic token ${symbol} on a local test chain: its market is simulated`)
  const known = (await client.listPassports()).body.data.find(
    ({ payload }) => payload.slug === slug,
  )
  if (known) return say(`Passport  ${await publicState(issuer)}, ${url}`)
  const day = await findTokenDay(launch.chain)
  if (!day)
    return say('  This data directory lacks a full day of market data. Use a new directory.')
  try {
    const desk = await openDesk(client, launch, day, say)
    say('  Publishing a passport and verifying it as a third party')
    await publishPassport(issuer, desk.vaultId)
    say(wordsOf(desk, await checkPublicly(issuer), issuer))
  } catch (error) {
    // A score cannot be activated a day after its market data, so a setup interrupted that long
    // cannot resume.
    if (isFirstStart(launch) || !(error instanceof ApiFailure)) throw error
    say(`  Cannot continue in this data directory: ${error.message}\n  Use a new directory.`)
  }
}

/** Evidence gaps of the score about traders funded by one account; two of the demo's traders are. */
const tradersIn = ({ evidence }: Desk['score']): string[] =>
  evidence.gaps
    .filter(({ code }) => code === 'TRADERS_FUNDED_TOGETHER')
    .map(({ detail }) => `Traders   ${detail}`)

/** Share of own flow; undefined for a score of an earlier release. */
const ownFlowIn = ({ ownFlow }: Desk['score']): string[] =>
  ownFlow ? [`Own flow  ${ownFlow.sharePips / 10_000} % of the volume, left out of the score`] : []

function wordsOf({ score, swaps }: Desk, verified: Verified, { url, bundle }: Issuer): string {
  const points = score.scorePips === null ? 'no score' : `${score.scorePips / 10_000} of 100`
  return [
    `Market    SIMULATED: ${points}, grade ${score.grade}, from ${swaps} simulated swaps of one day`,
    ...ownFlowIn(score),
    ...tradersIn(score),
    'Vault     a 2-of-3 Safe that administers the token, with a policy in plain English',
    'Books     ledger and chain match',
    `Passport  ${url}`,
    `Bundle    ${bundle}`,
    `          offline ${verified.passed} checks passed, 0 failed; ${verified.verdict.join(', ')}`,
  ].join('\n')
}
