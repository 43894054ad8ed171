/** A picture that was read, checked and written anew. */
export interface Picture {
  readonly mediaType: 'image/png' | 'image/webp'
  readonly width: number
  readonly height: number
  readonly bytes: Buffer
}
