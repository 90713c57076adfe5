// The digests of the built-in maps: a server could show the page another map under the same name.

export const DIGESTS: Readonly<Record<string, string>> = {
  micro: "d6bd48230f202d7cbb3c7243a59c95254936236836e33a893754dab5d8e27265",
  san_francisco: "6c0b5caa60678901aba71d48708bf3cb0a85c1fb82cf433598d978b8e480e655",
  tiny: "163c972f0846febdb6fbbdbcf8c168dc9240ec3917477d380de1fd1882f78b5c",
};
