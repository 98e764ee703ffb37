// Waiting for something that comes by itself, but not for ever.

/**
 * @template T
 * @param {Promise<T>} promise
 * @param {string} what names it in the failure, as in "the host leaves"
 */
export function within(promise, what, limitMs = 60_000) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Waited ${limitMs / 1000} s in vain until ${what}`)), limitMs);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
