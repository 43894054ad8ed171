import type { contract } from '@liquidity-os/contract'
import { limits } from '../../../../limits.ts'
import type { Picture } from './picture.ts'
import { encodePngAnew } from './png.ts'
import { packWebpAnew } from './webp.ts'

type Sent = Extract<contract.PartnerLogo, { base64: string }>

/**
 * Decodes a logo into re-encoded bytes; the original bytes are never served. Vector images can
 * contain scripts, so they are rejected.
 *
 * @returns the image, or the error as text
 */
export async function readLogo({ mediaType, base64 }: Sent): Promise<Picture | string> {
  const bytes = Buffer.from(base64, 'base64')
  if (bytes.toString('base64') !== base64) return 'must be base64 with its padding (RFC 4648 §4)'
  if (bytes.length > limits.partnerLogoBytes) {
    return `must have at most ${limits.partnerLogoBytes} bytes, got ${bytes.length}`
  }
  const picture =
    mediaType === 'image/png'
      ? await encodePngAnew(bytes, limits.partnerLogoPixels)
      : packWebpAnew(bytes, limits.partnerLogoPixels)
  if (typeof picture === 'string' || picture.bytes.length <= 2 * limits.partnerLogoBytes) {
    return picture
  }
  return 'must be no larger after re-encoding'
}
