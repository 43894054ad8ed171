import { limits } from '../limits.ts'

/** Canonical form for storing and comparing addresses; case-insensitive. */
export function foldEmail(email: string): string {
  return email.trim().normalize('NFC').toLowerCase()
}

/**
 * True if the canonical text is a single address. It contains no characters with a meaning in mail
 * headers or the SMTP envelope. It contains no invisible characters, which could make two addresses
 * look alike or read backwards.
 */
export function isEmail(text: string): boolean {
  const folded = foldEmail(text)
  // Surrounding space is not part of an address, so text with it is rejected.
  return folded.length <= limits.mailAddressCharacters && text === text.trim() && one.test(folded)
}

const one = /^[^\s\p{Cc}\p{Cf}<>()[\]\\,;:"@]+@[^\s\p{Cc}\p{Cf}<>()[\]\\,;:"@]+$/u
