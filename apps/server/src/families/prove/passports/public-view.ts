import { contract } from '@liquidity-os/contract'
import { required } from '../../../required.ts'
import type { OpenPassport } from './open-passport.ts'
import { simulatedOf } from './rendering/words.ts'
import { fingerprint } from './sources.ts'

type View = contract.PublicLiquidityPassport

/** Formats that renderer v1 knows; the others are of v2. */
export const formatsOf = (
  renderer: string,
): readonly (typeof contract.passportFormats)[number][] =>
  renderer === 'liquidity-passport-artifacts-v1'
    ? contract.passportFormats.filter((format) => format !== 'svg' && format !== 'png')
    : contract.passportFormats

export function variantOf(state: View['state']): 'current' | 'expired' | 'revoked' | 'stale' {
  if (state === 'REVOKED') return 'revoked'
  if (state === 'EXPIRED') return 'expired'
  return state === 'CURRENT' ? 'current' : 'stale'
}

export function publicView(
  {
    record,
    state,
    published,
    publishedAt,
    revocation,
    history,
    artifacts,
    logged,
    signer,
    vault,
    ownedLiquidity,
  }: OpenPassport,
  serviceKey: string,
): View {
  const { payload } = record
  const isBadge = (format: string) => format === 'svg' || format === 'png'
  const fileOf = (format: string) =>
    artifacts.find(
      ({ statement }) =>
        statement.format === format && (!isBadge(format) || statement.variant === variantOf(state)),
    )
  const issuer = required(signer.payload.publicKeys[0], `public key of ${signer.id}`)
  return {
    slug: payload.slug,
    state,
    ...(state === 'REVOKED' ? {} : { passport: payload }),
    simulated: simulatedOf(payload),
    executions: (published.payload.executions as View['executions'] | undefined) ?? null,
    ownedLiquidity: state === 'REVOKED' ? null : ownedLiquidity,
    contentHash: payload.contentHash,
    publishedAt,
    ...(revocation ? { revocation } : {}),
    history: [...history],
    formats: formatsOf(payload.artifactRendererVersion).map((format) => {
      const file = fileOf(format)
      return { format, ready: file !== undefined, sha256: file?.statement.sha256 ?? null }
    }),
    log: logged && {
      leafIndex: logged.inclusion.leafIndex,
      treeSize: logged.checkpoint.treeSize,
      rootHash: logged.checkpoint.rootHash,
    },
    keys: {
      issuer: {
        fingerprint: fingerprint(issuer),
        publicKey: issuer,
        authority: isAuthorized(signer, vault) ? 'SAFE_AUTHORIZED' : 'ORGANIZATION',
      },
      service: { fingerprint: fingerprint(serviceKey), publicKey: serviceKey },
    },
  }
}

/** True if the owners of exactly this Safe signed for the key at its registration. */
export function isAuthorized(
  { payload }: OpenPassport['signer'],
  { safeAddress, chainId }: OpenPassport['vault'],
): boolean {
  const { authorization } = payload.configuration as Partial<contract.SignerConfiguration>
  return (
    payload.capabilities.includes('SAFE_AUTHORIZED') &&
    authorization?.safe.toLowerCase() === safeAddress.toLowerCase() &&
    authorization.chainId === chainId
  )
}
