/** A decoded, validated and re-encoded image. */
export interface Picture {
  readonly mediaType: 'image/png' | 'image/webp'
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}
